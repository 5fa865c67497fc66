// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import GstPlayer

/// The key of an option for a precise duration.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// The key of an option for the use of cellular networks.
public let AVURLAssetAllowsCellularAccessKey = "AVURLAssetAllowsCellularAccessKey"
/// The key of an option for the MIME type of the media; ignored, because the data shows it.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"
/// The key of an option for the use of constrained networks.
public let AVURLAssetAllowsConstrainedNetworkAccessKey = "AVURLAssetAllowsConstrainedNetworkAccessKey"
/// The key of an option for the use of expensive networks.
public let AVURLAssetAllowsExpensiveNetworkAccessKey = "AVURLAssetAllowsExpensiveNetworkAccessKey"
/// The key of an option for cookies.
public let AVURLAssetHTTPCookiesKey = "AVURLAssetHTTPCookiesKey"
/// The key of an option for the references to other media.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
/// The key of an option for the field `User-Agent` of HTTP requests, a string; it takes precedence over a field.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"

extension HTTPRequestHeaders {
  /// The key of the header fields, for which Apple does not publish a constant.
  private static let fieldsKey = "AVURLAssetHTTPHeaderFieldsKey"

  /// Returns the headers in the options of an asset; nil for none.
  ///
  /// The user agent may also be one of the fields; the option for it takes precedence.
  static func of(_ options: [String: Any]) throws(PlayerError) -> HTTPRequestHeaders? {
    guard options[fieldsKey] != nil || options[AVURLAssetHTTPUserAgentKey] != nil else { return nil }
    guard var fields = (options[fieldsKey] ?? [String: String]()) as? [String: String] else {
      throw PlayerError(
        code: .invalidArgument, message: "option \(fieldsKey): the value is not a dictionary of strings")
    }
    let agent = options[AVURLAssetHTTPUserAgentKey]
    guard agent == nil || agent is String else {
      throw PlayerError(
        code: .invalidArgument, message: "option \(AVURLAssetHTTPUserAgentKey): the value is not a string")
    }
    let name = fields.keys.first { $0.lowercased() == "user-agent" }
    let field = name.flatMap { fields.removeValue(forKey: $0) }
    return try HTTPRequestHeaders(fields, userAgent: agent as? String ?? field)
  }
}
