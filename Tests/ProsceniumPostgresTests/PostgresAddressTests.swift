// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPostgres
  import Testing

  /// What an address is for people, who must not see its password.
  @Suite struct PostgresAddressTests {
    @Test(
      arguments: [
        ("postgres://user:secret@host:5432/database", "postgres://host:5432/database"),
        ("postgresql://user@host/a%2Fb?password=secret", "postgres://host/a/b"),
        ("postgres://user:s%40e%2Fcret@host/database", "postgres://host/database"),
        ("postgres:///database?host=/run/socket", "postgres:///run/socket/database"),
        ("host=host dbname=database password=secret", "postgres://host/database"),
        ("postgres://host/a%40b", "postgres://host/a@b"), ("dbname=a@b host=h", "postgres://h/a@b"),
        ("dbname=database", "postgres://the default host/database"),
      ])
    func `a place has no password`(address: String, place: String) throws {
      #expect(try PostgresAddress(address).place == place)
    }

    @Test(
      arguments: [
        "postgres://user:sec%ret@host/database", "postgres://user:secret@[::1/database",
        "postgres://user:se@cret@host/database", "postgres://user:se/cret@host/database",
        "postgres://user:se@cr/et@host/database", "postgres://user:1/secret@host/database",
        "host=host password=my secret", "password='secret",
      ])
    func `an address that cannot be read is refused without its password`(address: String) {
      let error = #expect(throws: StoreError.self) { try PostgresAddress(address) }
      #expect(error?.code == .unusable)
      for part in ["secret", "sec", "cret", "ret"] {
        #expect(error?.message.contains(part) == false, "\(error?.message ?? "")")
      }
    }
  }
#endif
