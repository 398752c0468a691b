// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// What speaks HTTP and WebSocket.
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
  .product(name: $0, package: "swift-nio", condition: .when(traits: ["Live"]))
}

// What speaks TLS between nodes.
let tls: [Target.Dependency] = [
  ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"), ("NIOTLS", "swift-nio"),
  ("NIOSSL", "swift-nio-ssl"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["Links"])) }

/// A product of another package, of those that the program needs.
func complete(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Complete"]))
}

/// A library of the system.
func system(_ name: String, _ package: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: package, providers: [.apt([apt]), .brew([brew])])
}

/// A program that a page explains.
func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Docs/Examples/\(name)")
}

/// Tests with a folder of their own name.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies)
}

let argumentParser = complete("ArgumentParser", "swift-argument-parser")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

let core: [Target.Dependency] = ["Proscenium", "ProsceniumPredicate", "ProsceniumPrimitives"]

// What programs import that are nodes of a cluster.
let cluster: [Target.Dependency] = [
  "ProsceniumLocalPostgres", "ProsceniumPostgres", "ProsceniumLinks", "ProsceniumCluster",
  "ProsceniumStoring", "ProsceniumSealing", "Proscenium", "ProsceniumPrimitives",
]

let libraries = [
  "ProsceniumPredicate", "Proscenium", "ProsceniumClientProtocol", "ProsceniumInfoPlist",
  "ProsceniumServiceLifecycle", "ProsceniumSQLite", "ProsceniumSimulation", "ProsceniumTestKit",
  "ProsceniumDashboard", "ProsceniumLoad", "ProsceniumJemalloc", "ProsceniumLive",
  "ProsceniumPostgres", "ProsceniumLinks",
]

// The order of the targets is the order of their imports: each line imports only lines above it.
let package = Package(
  name: "proscenium",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: libraries.map { .library(name: $0, targets: [$0]) } + [
    .executable(name: "proscenium", targets: ["ProsceniumCLI"]),
    .executable(name: "proscenium-load-live", targets: ["ProsceniumLoadLive"]),
    .executable(name: "proscenium-load-cluster", targets: ["ProsceniumLoadCluster"]),
    .executable(name: "proscenium-cluster", targets: ["ProsceniumClusterCLI"]),
  ],
  // A package that depends on this one with `traits: []` fetches swift-log and swift-metrics alone.
  // The flags of several traits come in another order each time, and each time all is compiled
  // again: who builds with two sets SWIFT_DETERMINISTIC_HASHING=1.
  traits: [
    .default(enabledTraits: ["Complete"]),
    .trait(name: "Complete", description: "The products that need more, and the program"),
    .trait(name: "Live", description: "The web host, ProsceniumLive, and its programs"),
    .trait(name: "Cluster", description: "Sessions in PostgreSQL: ProsceniumPostgres"),
    .trait(
      name: "Links", description: "Between nodes: ProsceniumLinks", enabledTraits: ["Cluster"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(name: "CProscenium"),
    .target(name: "ProsceniumPredicate", dependencies: ["CProscenium"]),
    .target(name: "ProsceniumCharts"),
    // What is public there is for the other targets alone: of what is `package` the compiler makes
    // no specialized copies in other modules.
    .target(name: "ProsceniumPrimitives", dependencies: ["CProscenium"]),
    .target(
      name: "Proscenium",
      dependencies: ["ProsceniumPredicate", "ProsceniumPrimitives", "CProscenium", log, metrics]),
    .target(name: "ProsceniumClientProtocol", dependencies: ["Proscenium"]),
    .target(name: "ProsceniumInfoPlist", dependencies: ["Proscenium"]),
    .target(
      name: "ProsceniumServiceLifecycle",
      dependencies: ["Proscenium", log, complete("ServiceLifecycle", "swift-service-lifecycle")]),
    system("CCrypto", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    .target(name: "CSealing", dependencies: ["CCrypto"]),
    // It does not import the core, so that it builds at the same time.
    .target(
      name: "ProsceniumSealing",
      dependencies: [
        "ProsceniumPrimitives", .target(name: "CSealing", condition: .when(platforms: [.linux])),
      ]),
    // Without its trait it is empty but for what needs no package.
    .target(
      name: "ProsceniumLive",
      dependencies: [
        "Proscenium", "ProsceniumClientProtocol", "ProsceniumPrimitives", "ProsceniumSealing",
      ] + nio,
      resources: [.embedInCode("Script/live.js"), .embedInCode("Script/live.css")]
    ),
    .target(
      name: "ProsceniumStoring",
      dependencies: core + ["ProsceniumSealing"]),
    system("CSQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    .target(
      name: "ProsceniumSQLite",
      dependencies: core + ["ProsceniumSealing", "ProsceniumStoring", "CSQLite"]),
    .target(
      name: "ProsceniumCluster",
      dependencies: ["Proscenium", "ProsceniumPrimitives", "ProsceniumStoring", metrics, log]),
    .target(name: "CLinkCertificate", dependencies: ["CCrypto"]),
    .target(
      name: "ProsceniumLinks",
      dependencies: ["ProsceniumCluster", "ProsceniumPrimitives", "CLinkCertificate"] + tls),
    system("CPostgres", "libpq", apt: "libpq-dev", brew: "libpq"),
    .target(
      name: "ProsceniumPostgres",
      dependencies: [
        "Proscenium", "ProsceniumPredicate", "ProsceniumPrimitives", "ProsceniumSealing",
        "ProsceniumStoring", "ProsceniumCluster", log,
        .target(name: "CPostgres", condition: .when(traits: ["Cluster"])),
      ]),
    .target(name: "ProsceniumJSON"),
    .target(
      name: "ProsceniumSimulation",
      dependencies: core + ["ProsceniumJSON", log]),
    .target(
      name: "ProsceniumTestKit",
      dependencies: core + ["ProsceniumJSON", "ProsceniumSimulation", log]),
    .target(
      name: "ProsceniumDashboard",
      dependencies: [
        "Proscenium", "ProsceniumCharts", "ProsceniumPrimitives",
        complete("FlyingFox", "FlyingFox"), complete("FlyingSocks", "FlyingFox"),
      ]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "ProsceniumLoad",
      dependencies: core + [
        "ProsceniumJSON", "ProsceniumSQLite", "ProsceniumSimulation", "ProsceniumCharts", "CZlib",
        metrics, complete("Histogram", "hdrhistogram-swift"), log,
      ]),
    .systemLibrary(
      name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
    .target(name: "CAllocator"),
    .target(
      name: "ProsceniumJemalloc", dependencies: ["ProsceniumLoad", "CAllocator", "CJemalloc"]),
    .target(name: "CSignals"),
    // A PostgreSQL server for one process, in a temporary folder.
    .target(name: "ProsceniumLocalPostgres"),
    // What the programs have in common at a terminal.
    .target(
      name: "ProsceniumTerminal",
      dependencies: [
        "Proscenium", "ProsceniumStoring", "ProsceniumJSON", "ProsceniumLoad", "ProsceniumTestKit",
        "CSignals", argumentParser,
      ]),
    // Processes of a load test that are nodes of a cluster, and their database.
    .target(
      name: "ProsceniumLoadNodes",
      dependencies: cluster + ["ProsceniumLoad", "ProsceniumTerminal", argumentParser]),
    .executableTarget(
      name: "ProsceniumCLI",
      dependencies: core + [
        "ProsceniumInfoPlist", "ProsceniumJSON", "ProsceniumSQLite", "ProsceniumSimulation",
        "ProsceniumTestKit", "ProsceniumLoad", "ProsceniumDashboard", "ProsceniumJemalloc",
        "ProsceniumTerminal", "CJemalloc", argumentParser,
        complete("UnixSignals", "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "ProsceniumLoadLive",
      dependencies: [
        "ProsceniumLive", "ProsceniumLoad", "ProsceniumJSON", "ProsceniumTerminal",
        "ProsceniumSQLite", "ProsceniumClientProtocol", "ProsceniumPrimitives", "Proscenium",
        "ProsceniumLoadNodes", "ProsceniumPostgres", "ProsceniumLinks", argumentParser,
      ] + nio),
    .executableTarget(
      name: "ProsceniumLoadCluster",
      dependencies: cluster + [
        "ProsceniumLoadNodes", "ProsceniumLoad", "ProsceniumDashboard", "ProsceniumTerminal",
        argumentParser, log,
      ]),
    .executableTarget(
      name: "ProsceniumClusterCLI",
      dependencies: [
        "ProsceniumPostgres", "ProsceniumSQLite", "ProsceniumStoring", "ProsceniumSealing",
        "ProsceniumLoad", "ProsceniumJSON", "ProsceniumTerminal", "Proscenium", argumentParser,
      ]),
    example("Notepad", ["Proscenium"]),
    example("Routing", ["Proscenium", "ProsceniumPredicate"]),
    example("Predicates", ["ProsceniumPredicate"]),
    example("ClownTown", ["Proscenium", "ProsceniumPredicate", "ProsceniumTestKit"]),
    example("OrderDesk", ["Proscenium", "ProsceniumSQLite"]),
    example("JobAgent", ["Proscenium", "ProsceniumSQLite"]),
    example("SharedModel", ["Proscenium"]),
    .executableTarget(
      name: "Boards",
      dependencies: [
        "ProsceniumLocalPostgres", "ProsceniumLinks", "ProsceniumPostgres", "ProsceniumLive",
        "ProsceniumSQLite", "Proscenium", argumentParser,
        complete("UnixSignals", "swift-service-lifecycle"),
      ] + nio,
      path: "Docs/Examples/Boards",
      resources: [.embedInCode("boards.css")]
    ),
    .target(
      name: "Jotter", dependencies: ["Proscenium", "ProsceniumPredicate"],
      path: "Docs/Examples/Jotter"),
    tests("ProsceniumChartsTests", ["ProsceniumCharts"]),
    tests("ProsceniumPredicateTests", ["ProsceniumPredicate", "ProsceniumPrimitives"]),
    tests(
      "ProsceniumTests",
      core + [
        "ProsceniumInfoPlist", "ProsceniumServiceLifecycle", "ProsceniumSimulation", metrics, log,
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        complete("ServiceLifecycle", "swift-service-lifecycle"),
      ]),
    tests(
      "ProsceniumSQLiteTests",
      core + [
        "ProsceniumSQLite", "CSQLite", "ProsceniumSealing", "ProsceniumStoring",
        "ProsceniumTestKit",
      ]),
    .target(
      name: "PostgresTestServer",
      dependencies: ["ProsceniumLocalPostgres", "ProsceniumPrimitives"],
      path: "Tests/PostgresTestServer"),
    .executableTarget(
      name: "ClusterTrial",
      dependencies: cluster
        + ["PostgresTestServer", "ProsceniumSQLite", argumentParser, log, metrics],
      path: "Tests/ClusterTrial"
    ),
    tests(
      "ProsceniumPostgresTests",
      cluster + [
        "ClusterTrial", "PostgresTestServer", "ProsceniumSQLite", "ProsceniumPredicate",
        "ProsceniumTestKit",
      ]),
    tests(
      "ProsceniumClusterTests",
      core + [
        "ProsceniumCluster", "ProsceniumStoring", "ProsceniumSimulation", "ProsceniumTestKit", log,
      ]),
    tests(
      "ProsceniumLinksTests",
      ["ProsceniumLinks", "ProsceniumCluster", "ProsceniumPrimitives"] + tls),
    tests(
      "ProsceniumSimulationTests",
      ["Proscenium", "ProsceniumJSON", "ProsceniumPrimitives", "ProsceniumSimulation"]),
    tests(
      "ProsceniumTestKitTests",
      core + ["ProsceniumTestKit", "ProsceniumJSON", "ProsceniumSimulation"]),
    tests(
      "ProsceniumDashboardTests",
      [
        "ProsceniumDashboard", "Proscenium", "ProsceniumPrimitives", "ProsceniumSimulation",
        complete("FlyingSocks", "FlyingFox"), log,
      ]),
    .executableTarget(
      name: "ClientTrial",
      dependencies: [
        "ProsceniumClientProtocol", "ProsceniumSQLite", "Proscenium", "ProsceniumPrimitives",
        argumentParser, complete("FlyingSocks", "FlyingFox"),
      ],
      path: "Tests/ClientTrial"
    ),
    .testTarget(
      name: "ProsceniumClientProtocolTests",
      dependencies: [
        "ClientTrial", "ProsceniumClientProtocol", "Proscenium", "ProsceniumPrimitives",
      ],
      exclude: ["client.py"]
    ),
    tests(
      "ProsceniumLiveTests",
      [
        "ProsceniumLive", "Proscenium", "ProsceniumPrimitives", "ProsceniumSimulation", log,
        .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Live"])),
      ] + nio),
    tests(
      "ProsceniumLoadLiveTests",
      core + [
        "ProsceniumLoadLive", "ProsceniumLoadNodes", "ProsceniumLoad", "ProsceniumClientProtocol",
        argumentParser,
      ] + nio),
    tests("JotterTests", ["Jotter", "Proscenium", "ProsceniumSimulation", "ProsceniumTestKit"]),
    tests(
      "ProsceniumLoadTests",
      core + [
        "ProsceniumLoad", "ProsceniumCharts", "ProsceniumJSON", "ProsceniumSimulation", "CZlib",
        metrics,
      ]),
    tests("ProsceniumCLITests", ["ProsceniumCLI", "ProsceniumSimulation"]),
    tests(
      "ProsceniumLoadClusterTests",
      core + ["ProsceniumLoadCluster", "ProsceniumLoadNodes", "ProsceniumLoad", argumentParser]),
    tests(
      "ProgramTests",
      [
        "PostgresTestServer", "ProsceniumLocalPostgres", "Proscenium", "ProsceniumPostgres",
        "ProsceniumPredicate", "ProsceniumSQLite",
      ]),
    .target(name: "CIndexStore", path: "Tests/CIndexStore"),
    tests("TidyTests", ["CIndexStore"]),
  ],
  swiftLanguageModes: [.v6]
)

// UIKit's scene life cycle for tests on Linux, and what plays the device: Docs/UIKIT.md. On a Mac
// there is UIKit itself.
#if os(Linux)
  package.products += [
    .library(name: "ProsceniumUIKit", targets: ["ProsceniumUIKit"]),
    .library(name: "ProsceniumUIKitTestKit", targets: ["ProsceniumUIKitTestKit"]),
  ]
  package.targets += [
    .target(name: "ProsceniumUIKit", dependencies: core + [log]),
    .target(
      name: "ProsceniumUIKitTestKit",
      dependencies: [
        "ProsceniumUIKit", "ProsceniumTestKit", "ProsceniumInfoPlist", "Proscenium",
        "ProsceniumPrimitives", log,
      ]),
    tests(
      "ProsceniumUIKitTests",
      core + [
        "ProsceniumUIKitTestKit", "ProsceniumUIKit", "ProsceniumTestKit", "ProsceniumSimulation",
      ]),
  ]
  // A team's program: it and its tests import UIKit, and nothing else knows a module of that name.
  let teamSettings: [SwiftSetting] = [
    .unsafeFlags([
      "-module-alias", "UIKit=ProsceniumUIKit",
      "-module-alias", "_Testing_UIKit=_Testing_Foundation",
    ])
  ]
  let team: [Target] = [
    .executableTarget(
      name: "Recipes", dependencies: ["ProsceniumUIKit"], path: "Docs/Examples/Recipes",
      exclude: ["Info.plist"], swiftSettings: teamSettings),
    .testTarget(
      name: "RecipesTests", dependencies: ["Recipes", "ProsceniumUIKitTestKit", "ProsceniumUIKit"],
      swiftSettings: teamSettings),
  ]
#else
  let team: [Target] = []
#endif

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .strictMemorySafety(),  // SE-0458
  .treatAllWarnings(as: .error),  // SE-0480
  .treatWarning("ExplicitSendable", as: .error),
]
let cSettings: [CSetting] = [.treatAllWarnings(as: .error)]

for target in package.targets {
  switch target.type {
  case .system: continue
  case .regular where target.name.hasPrefix("C"): target.cSettings = cSettings
  default: target.swiftSettings = settings
  }
}

package.targets += team

// Who runs some of the tests alone, as `make test-tsan` does, names their targets, and builds what
// these reach.
if let tests = Context.environment["PROSCENIUM_TESTS"] {
  var reached = Set(tests.split(separator: " ").map(String.init))
  for target in package.targets.reversed() where reached.contains(target.name) {
    for case .byNameItem(let name, _) in target.dependencies { reached.insert(name) }
    for case .targetItem(let name, _) in target.dependencies { reached.insert(name) }
  }
  package.targets.removeAll { !reached.contains($0.name) }
  package.products = []
}
