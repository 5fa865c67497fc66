# Completes `mpris-playerd ITEM…` as `mpris-playerd open ITEM…`.
_mpris-playerd() {
    local -r first="${COMP_WORDS[1]-}"
    if ((COMP_CWORD == 1)) && [[ "${first}" != -* ]]; then
        __mpris-playerd_root "${@}"
        local file
        while IFS='' read -r file; do
            COMPREPLY+=("${file}")
        done < <(compgen -f -- "${2}")
        return
    fi
    if ! declare -F "_mpris-playerd_${first}" >/dev/null; then
        COMP_LINE="${COMP_WORDS[0]} open${COMP_LINE#"${COMP_WORDS[0]}"}"
        COMP_WORDS=("${COMP_WORDS[0]}" open "${COMP_WORDS[@]:1}")
        ((COMP_CWORD += 1, COMP_POINT += 5))
    fi
    __mpris-playerd_root "${@}"
}
