// SPDX-License-Identifier: Apache-2.0

#if Links
  import CLinkCertificate
  import NIOSSL

  /// The certificate of a process, made at its start, and its key.
  struct LinkCertificate: Sendable {
    private let certificate: NIOSSLCertificate
    private let key: NIOSSLPrivateKey
    /// What the others know it by.
    let fingerprint: [UInt8]

    /// Makes a certificate.
    ///
    /// - Throws: A ``LinkError`` if the system cannot.
    init() throws {
      let limit = proscenium_certificate_limit
      var (certificateCount, keyCount) = (0, 0)
      var keyBytes: [UInt8] = []
      var succeeds = false
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { certificate, count in
        keyBytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { key, count in
          succeeds = unsafe proscenium_make_certificate(
            certificate.baseAddress, &certificateCount, key.baseAddress, &keyCount)
          count = keyCount
        }
        count = certificateCount
      }
      guard succeeds else {
        throw LinkError(.noCertificate, "libcrypto could not make a key and a certificate")
      }
      certificate = try NIOSSLCertificate(bytes: bytes, format: .der)
      key = try NIOSSLPrivateKey(bytes: keyBytes, format: .der)
      fingerprint = Self.fingerprint(of: bytes)
    }

    /// What a certificate is known by: SHA-256 of its bytes.
    static func fingerprint(of certificate: [UInt8]) -> [UInt8] {
      let size = proscenium_fingerprint_size
      return unsafe [UInt8](unsafeUninitializedCapacity: size) { fingerprint, count in
        let succeeds = unsafe proscenium_fingerprint(
          certificate, certificate.count, fingerprint.baseAddress)
        count = succeeds ? size : 0
      }
    }

    /// What a listener, or a caller, needs for TLS.
    ///
    /// The other side has to show a certificate and that it has its key. Which one that is to be,
    /// the node decides.
    func context(listens: Bool) throws -> NIOSSLContext {
      var settings =
        listens
        ? TLSConfiguration.makeServerConfiguration(
          certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        : TLSConfiguration.makeClientConfiguration()
      settings.certificateChain = [.certificate(certificate)]
      settings.privateKey = .privateKey(key)
      settings.minimumTLSVersion = .tlsv13
      // Unless it is told, it reads the authorities of the machine, of which none counts here.
      settings.trustRoots = .certificates([certificate])
      settings.certificateVerification = .noHostnameVerification
      return try NIOSSLContext(configuration: settings)
    }
  }
#endif
