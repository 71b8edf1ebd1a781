# SPDX-License-Identifier: Apache-2.0
"""What the circuit is made of, read from hw/: files, packages, registers, configurations."""
