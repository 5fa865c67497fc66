@_exported public import AVFAudio
@_exported public import CoreMedia
@_exported public import Foundation
@_exported public import Observation
