import CGst
import Playback
import Synchronization

/// Accepts listed certificates of servers although they cannot be verified, and finds the reasons to reject others.
///
/// Each is accepted for one host, in all requests of the process: of players, inspections and readers.
package enum ServerCertificates {
  private static let accepted = Mutex<Set<AcceptedCertificate>>([])

  /// Replaces the accepted certificates; connections that exist are kept.
  package static func accept(_ certificates: some Sequence<AcceptedCertificate>) {
    accepted.withLock { $0 = Set(certificates) }
  }

  /// Decides about the certificates that libsoup cannot verify for a message.
  ///
  /// <https://gnome.pages.gitlab.gnome.org/libsoup/libsoup-3.0/signal.Message.accept-certificate.html>
  static func observe(_ message: UnsafeMutableRawPointer, of request: HTTPRequest) {
    unsafe Signal.connect("accept-certificate", of: message) { [weak request] values, result in
      guard let certificate = unsafe Signal.pointer(values + 1, to: GTlsCertificate.self), let host = request?.host
      else { return }
      let fingerprint = unsafe fingerprint(of: certificate)
      let key = fingerprint.flatMap { AcceptedCertificate(host: host, fingerprint: $0) }
      if let key, accepted.withLock({ $0.contains(key) }) {
        if let result = unsafe result { unsafe g_value_set_boolean(result, 1) }
      } else {
        let faults = unsafe CertificateFaults(rawValue: g_value_get_flags(values + 2)).texts(of: certificate)
        let reason = faults.isEmpty ? "cannot be verified" : faults.joined(separator: " and ")
        let name = fingerprint.map { " (sha256:\($0))" } ?? ""
        request?.rejected(.certificate(reason: "the certificate of \(host) \(reason)\(name)"))
      }
    }
  }

  /// Returns the SHA-256 of a certificate in hexadecimal.
  private static func fingerprint(of certificate: UnsafeMutablePointer<GTlsCertificate>) -> String? {
    unsafe GLib.get(certificate, "certificate") { value in
      guard let bytes = unsafe Signal.pointer(value, to: GByteArray.self) else { return nil }
      return unsafe GLib.take(
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes.pointee.data, gsize(bytes.pointee.len)))
    }
  }
}

/// The faults that the verification of a certificate finds.
///
/// <https://docs.gtk.org/gio/flags.TlsCertificateFlags.html>
private struct CertificateFaults: OptionSet {
  let rawValue: guint
  static let unknownIssuer = CertificateFaults(rawValue: 1 << 0)
  static let otherHost = CertificateFaults(rawValue: 1 << 1)
  static let notYetValid = CertificateFaults(rawValue: 1 << 2)
  static let expired = CertificateFaults(rawValue: 1 << 3)
  static let revoked = CertificateFaults(rawValue: 1 << 4)
  static let insecure = CertificateFaults(rawValue: 1 << 5)

  /// Returns a predicate for each fault.
  func texts(of certificate: UnsafeMutablePointer<GTlsCertificate>) -> [String] {
    var texts: [String] = []
    if contains(.revoked) { texts.append("is revoked") }
    if contains(.unknownIssuer) {
      texts.append(unsafe Self.isSelfSigned(certificate) ? "is self-signed" : "is from an unknown issuer")
    }
    if contains(.expired) {
      texts.append("expired" + (unsafe Self.day("not-valid-after", of: certificate).map { " on \($0)" } ?? ""))
    }
    if contains(.notYetValid) {
      let day = unsafe Self.day("not-valid-before", of: certificate)
      texts.append("is not valid " + (day.map { "before \($0)" } ?? "yet"))
    }
    if contains(.otherHost) { texts.append("is for another host") }
    if contains(.insecure) { texts.append("uses an insecure algorithm") }
    return texts
  }

  private static func isSelfSigned(_ certificate: UnsafeMutablePointer<GTlsCertificate>) -> Bool {
    let subject = unsafe GLib.text(certificate, "subject-name")
    return unsafe subject != nil && subject == GLib.text(certificate, "issuer-name")
  }

  /// Returns the date in a property; nil if there is none.
  private static func day(_ property: String, of certificate: UnsafeMutablePointer<GTlsCertificate>) -> String? {
    unsafe GLib.get(certificate, property) { value in
      guard let time = unsafe g_value_get_boxed(value) else { return nil }
      return unsafe GLib.take(g_date_time_format(OpaquePointer(time), "%Y-%m-%d"))
    }
  }
}
