// SPDX-License-Identifier: Apache-2.0

#if Live
  import Testing

  /// A server over real sockets; one test after the other, as they use all processors.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct LiveServerTests {}
#endif
