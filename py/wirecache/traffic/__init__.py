# SPDX-License-Identifier: Apache-2.0
"""What goes over the wire: requests, frames, spoiled frames, capture files, a client."""
