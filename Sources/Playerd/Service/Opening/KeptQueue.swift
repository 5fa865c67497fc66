import Playback
import Synchronization

/// A queue that was replaced, and may be restored.
final class KeptQueue: Sendable {
  private struct Content {
    /// The queue; without its items if they are packed.
    var queue: QueueState
    var packed: PackedItems?
  }

  private let content: Mutex<Content>

  init(_ queue: QueueState) { content = Mutex(Content(queue: queue)) }

  var queue: QueueState {
    let (queue, packed) = content.withLock { ($0.queue, $0.packed) }
    guard let packed else { return queue }
    var whole = queue
    whole.items = packed.items
    return whole
  }

  /// Whether the queue is long and not packed.
  var isLarge: Bool { content.withLock { $0.queue.items.count > 1_000 } }

  /// Reduces the memory of the queue; takes up to a second.
  func pack() {
    guard content.withLock({ $0.packed == nil }) else { return }
    let packed = PackedItems(content.withLock { $0.queue.items })
    content.withLock { ($0.packed, $0.queue.items) = (packed, []) }
  }
}
