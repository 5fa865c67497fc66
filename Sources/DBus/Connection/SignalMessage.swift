/// A signal that arrived.
public struct SignalMessage: Sendable {
  /// The unique name of the sender, or the bus itself.
  public let sender: BusName
  /// The object that sent it.
  public let path: ObjectPath
  /// The interface of the signal.
  public let interface: InterfaceName
  /// The signal's name.
  public let member: MemberName
  /// The values, of whatever types the sender chose.
  public let arguments: [Value]
}
