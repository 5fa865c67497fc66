# Completes `mpris-playerd ITEM…` as `mpris-playerd open ITEM…`, and an alias as its command.
function __mpris-playerd_tokens
    # The place of the cursor in the word; fish 3 refuses -C while it completes another line than the one that is edited.
    if test "$argv[1]" = -tC
        string length -- "$(commandline -ct)"
        return
    end
    set -l tokens (__mpris-playerd_typed_tokens $argv)
    string match -q -- '-p*' $argv[1]; or begin
        printf '%s\n' $tokens
        return
    end
    set -l first (__mpris-playerd_typed_tokens -pc)[2]
    test -n "$first"; or set first (string match -- '-*' (__mpris-playerd_typed_tokens -t))
    if test -n "$first"; and not contains -- $first @commands@ @names@
        set tokens $tokens[1] open $tokens[2..]
    end
    for alias in @aliases@
        set -l pair (string split = -- $alias)
        set -l names (string split : -- $pair[1])
        set -l place (math (count $names) + 1)
        if test (count $tokens) -ge $place; and test "$tokens[2..$place]" = "$names"
            set tokens[$place] $pair[2]
        end
    end
    printf '%s\n' $tokens
end

complete -c 'mpris-playerd' -n 'test (count (__mpris-playerd_typed_tokens -pc)) -eq 1' -F
complete -c 'mpris-playerd' -n 'test (count (__mpris-playerd_typed_tokens -pc)) -eq 1' -a '@names@'

