// SPDX-License-Identifier: Apache-2.0
// The header holds everything; the package manager wants one file to compile.
#include "CProscenium.h"
