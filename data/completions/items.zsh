
# Completes `mpris-playerd ITEM…` as `mpris-playerd open ITEM…`.
_mpris-playerd() {
    local -r first="${words[2]}"
    if (( CURRENT == 2 )) && [[ "${first}" != -* ]]; then
        local -i result=1
        __mpris-playerd_root "${@}" && result=0
        _files && result=0
        return "${result}"
    fi
    if (( ! ${+functions[_mpris-playerd_${first}]} )); then
        words=("${words[1]}" open "${(@)words[2,-1]}")
        (( CURRENT += 1 ))
    fi
    __mpris-playerd_root "${@}"
}
