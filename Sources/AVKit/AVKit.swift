// Apple's views of this framework need UIKit or AppKit; the import compiles, and brings the players.
@_exported public import AVFoundation
