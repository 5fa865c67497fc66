#if OpenCombine
  import OpenCombineShim

  // What OpenCombine 0.14 lacks of Combine, by its own operators; copy this file into a program. The results are erased, and a
  // demand is not passed on: the inner publishers send as fast as they can.
  #if !canImport(Combine)
    extension Publisher {
      /// Sends the values of both publishers as they arrive.
      func merge<Other: Publisher>(with other: Other) -> AnyPublisher<Output, Failure>
      where Other.Output == Output, Other.Failure == Failure {
        Publishers.MergeMany([eraseToAnyPublisher(), other.eraseToAnyPublisher()])
      }

      /// Sends the latest values of both publishers whenever one of them sends, after both have sent once.
      func combineLatest<Other: Publisher>(_ other: Other) -> AnyPublisher<(Output, Other.Output), Failure>
      where Other.Failure == Failure {
        map { (Output?.some($0), Other.Output?.none) }
          .merge(with: other.map { (Output?.none, Other.Output?.some($0)) })
          .scan((Output?.none, Other.Output?.none)) { latest, new in (new.0 ?? latest.0, new.1 ?? latest.1) }
          .compactMap { latest in latest.0.flatMap { first in latest.1.map { (first, $0) } } }
          .eraseToAnyPublisher()
      }

      /// Sends the latest values of three publishers.
      func combineLatest<Second: Publisher, Third: Publisher>(_ second: Second, _ third: Third)
        -> AnyPublisher<(Output, Second.Output, Third.Output), Failure>
      where Second.Failure == Failure, Third.Failure == Failure {
        combineLatest(second).combineLatest(third).map { ($0.0, $0.1, $1) }.eraseToAnyPublisher()
      }
    }

    // Functions with the names of Combine's types, for `Publishers.Merge(a, b)`.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    extension Publishers {
      static func MergeMany<Output, Failure>(_ publishers: [AnyPublisher<Output, Failure>])
        -> AnyPublisher<Output, Failure>
      {
        publishers.publisher.setFailureType(to: Failure.self).flatMap { $0 }.eraseToAnyPublisher()
      }

      static func Merge<A: Publisher, B: Publisher>(_ a: A, _ b: B) -> AnyPublisher<A.Output, A.Failure>
      where A.Output == B.Output, A.Failure == B.Failure { a.merge(with: b) }

      static func CombineLatest<A: Publisher, B: Publisher>(_ a: A, _ b: B)
        -> AnyPublisher<(A.Output, B.Output), A.Failure>
      where A.Failure == B.Failure { a.combineLatest(b) }

      static func CombineLatest3<A: Publisher, B: Publisher, C: Publisher>(_ a: A, _ b: B, _ c: C)
        -> AnyPublisher<(A.Output, B.Output, C.Output), A.Failure>
      where A.Failure == B.Failure, A.Failure == C.Failure { a.combineLatest(b, c) }
    }
  #endif
#endif
