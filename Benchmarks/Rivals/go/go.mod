// SPDX-License-Identifier: Apache-2.0

module rival

go 1.19
