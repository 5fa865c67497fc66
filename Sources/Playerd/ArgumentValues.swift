import ArgumentParser
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces

// The values of other targets that arguments and options have; only the commands know how a command line is parsed.
extension InstanceName: ExpressibleByArgument {}
extension LogLevelArgument: ExpressibleByArgument {}
extension PlaceArgument: ExpressibleByArgument {}
extension TimeArgument: ExpressibleByArgument {}
