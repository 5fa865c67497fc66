/// Suggestions for misspelt words.
package enum Spelling {
  /// Returns the end of a message that suggests the candidate most similar to a misspelt word; empty if none is similar.
  package static func hint(for word: String, among candidates: [String]) -> String {
    nearest(to: word, among: candidates).map { "; did you mean “\($0)”?" } ?? ""
  }

  /// Returns the first of the candidates that are most similar to a misspelt word, in any case; nil if none is similar.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    let ranked = candidates.map { (distance(word, $0.lowercased()), $0) }
    return ranked.filter { isSimilar(word, $0.1.lowercased(), $0.0) }.min { $0.0 < $1.0 }?.1
  }

  /// Whether a candidate at a distance is a plausible correction.
  ///
  /// A short word is near to many others, so one of up to five letters has a single mistake: “crop” is not “stop”. Of a word
  /// with two mistakes, and of one with up to three letters, the first letter is right. Another number is no mistake: “Mix 2” is
  /// not “Mix 1”.
  private static func isSimilar(_ word: String, _ candidate: String, _ distance: Int) -> Bool {
    let length = min(word.count, candidate.count)
    guard distance < word.count, distance <= (length <= 5 ? 1 : 2) else { return false }
    guard word.filter(\.isNumber) == candidate.filter(\.isNumber) else { return false }
    return length > 3 && distance <= 1 || word.first == candidate.first
  }

  /// Returns the number of characters to replace, insert, remove or swap with a neighbour.
  ///
  /// <https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance> (optimal string alignment)
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var rows = [Array(0...second.count)]
    for (index, letter) in first.enumerated() {
      var row = [index + 1]
      for (column, other) in second.enumerated() {
        let above = rows[index]
        var best = min(above[column] + (letter == other ? 0 : 1), above[column + 1] + 1, row[column] + 1)
        if index > 0, column > 0, letter == second[column - 1], first[index - 1] == other {
          best = min(best, rows[index - 1][column - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
