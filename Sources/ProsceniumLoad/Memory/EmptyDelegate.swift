// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A delegate without a state and without a method.
final class EmptyDelegate: SceneDelegate {}
