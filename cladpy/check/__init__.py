"""Truth: the oracle and the gradient check.

Takes a `surface.Program` (the oracle) or a `Gradient` (the check); gives directional derivatives and reports. May raise
DifferentiationError for what the oracle does not know, LaunchError and UsageError for arguments that do not fit, and
ToolchainError. Nothing here is used to compute a gradient.
"""
