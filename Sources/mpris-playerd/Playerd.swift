@main
struct Playerd {
  static func main() {}
}
