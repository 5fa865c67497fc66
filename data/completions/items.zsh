

# Completes `mpris-playerd ITEM…` as `mpris-playerd open ITEM…`, and an alias as its command.
_mpris-playerd() {
    local first="${words[2]}" second="${words[3]}"
    local -A other_names
    other_names=(@aliases@)
    if (( CURRENT == 2 )) && [[ "${first}" != -* ]]; then
        local -i result=1
        __mpris-playerd_root "${@}" && result=0
        compadd -- "${(@k)other_names:#*:*}" && result=0
        _files && result=0
        return "${result}"
    fi
    if (( ${+other_names[${first}]} )); then
        first="${other_names[${first}]}"
        words=("${words[1]}" "${first}" "${(@)words[3,-1]}")
    elif (( CURRENT > 3 && ${+other_names[${first}:${second}]} )); then
        words=("${(@)words[1,2]}" "${other_names[${first}:${second}]}" "${(@)words[4,-1]}")
    fi
    if (( ! ${+functions[_mpris-playerd_${first}]} )); then
        words=("${words[1]}" open "${(@)words[2,-1]}")
        (( CURRENT += 1 ))
    fi
    __mpris-playerd_root "${@}"
}
