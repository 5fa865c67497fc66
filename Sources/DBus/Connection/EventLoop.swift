// A connection runs on a loop, so a program needs both modules.
@_exported public import EventLoop
