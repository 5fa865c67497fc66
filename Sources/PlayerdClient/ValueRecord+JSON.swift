import DBus
import PlayerdInterfaces
import PlayerdSystem

/// Encodes a record as a JSON object; unknown entries are null.
func jsonLine<Record: ValueRecord>(_ record: Record, without keys: Set<String> = []) -> String {
  let members = Record.fields.filter { !keys.contains($0.key) }.map { field in
    let value = field.read(record)
    return (field.key, field.isTime ? JSONValue(microseconds: value?.asInt64) : JSONValue(value))
  }
  return jsonLine(Dictionary(members) { first, _ in first })
}

extension JSONValue {
  fileprivate init(_ value: DBusValue?) {
    switch value {
    case .string(let text)?: self = .string(text)
    case .boolean(let truth)?: self = .boolean(truth)
    case .int64(let number)?: self = .integer(number)
    case .double(let number)?: self = .number(number)
    default: self = .null
    }
  }
}
