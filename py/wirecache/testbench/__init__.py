# SPDX-License-Identifier: Apache-2.0
"""What the cocotb benches beside the blocks share: clock and reset, stream ends, a memory; and what
the tests of the item index's model do."""
