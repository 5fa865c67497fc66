# Completes `mpris-playerd ITEM…` as `mpris-playerd open ITEM…`, and an alias as its command.
_mpris-playerd() {
    local first="${COMP_WORDS[1]-}" alias
    local -ra aliases=(@aliases@)
    if ((COMP_CWORD == 1)) && [[ "${first}" != -* ]]; then
        __mpris-playerd_root "${@}"
        local file
        while IFS='' read -r file; do
            COMPREPLY+=("${file}")
        done < <(
            for alias in "${aliases[@]}"; do
                [[ "${alias}" == *:* || "${alias}" != "${2}"* ]] || printf '%s\n' "${alias%%=*}"
            done
            compgen -f -- "${2}"
        )
        return
    fi
    for alias in "${aliases[@]}"; do
        local name="${alias%%=*}" command="${alias#*=}"
        local -i index=1
        if [[ "${name}" == *:* ]]; then
            index=2
            [[ "${first}" == "${name%%:*}" && "${COMP_WORDS[2]-}" == "${name#*:}" ]] || continue
        elif [[ "${first}" != "${name}" ]]; then
            continue
        fi
        ((COMP_CWORD > index)) || continue
        local old="${COMP_WORDS[index]}"
        COMP_LINE="${COMP_LINE/" ${old}"/" ${command}"}"
        COMP_WORDS[index]="${command}"
        ((COMP_POINT += ${#command} - ${#old}))
        first="${COMP_WORDS[1]}"
        break
    done
    if ! declare -F "_mpris-playerd_${first}" >/dev/null; then
        COMP_LINE="${COMP_WORDS[0]} open${COMP_LINE#"${COMP_WORDS[0]}"}"
        COMP_WORDS=("${COMP_WORDS[0]}" open "${COMP_WORDS[@]:1}")
        ((COMP_CWORD += 1, COMP_POINT += 5))
    fi
    __mpris-playerd_root "${@}"
}
