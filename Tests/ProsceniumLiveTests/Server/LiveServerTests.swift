// SPDX-License-Identifier: Apache-2.0

#if Live
  import Testing

  /// A server over real sockets; one after the other, as they measure memory and use all processors.
  @Suite(.serialized, .timeLimit(.minutes(1))) struct LiveServerTests {}
#endif
