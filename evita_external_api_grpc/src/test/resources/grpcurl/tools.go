// SPDX-License-Identifier: Apache-2.0

//go:build tools

package tools

import _ "github.com/fullstorydev/grpcurl/cmd/grpcurl"
