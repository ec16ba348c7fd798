# Completes brazier's words in bash. The program itself lists them, so that they are right for all plug-ins and
# configurations.

# Prints the options that the words so far make possible, with what they take: "--output FILE".
_brazier_options() {
    brazier "$@" --help 2>/dev/null | sed -nE '
        s/^ +(-[A-Za-z], )?--\[no-\]([a-z0-9-]+).*/--\2 \n--no-\2 /p
        t
        s/^ +(-[A-Za-z], )?(--[a-z0-9-]+)(  .*)?$/\2 /p
        t
        s/^ +(-[A-Za-z], )?(--[a-z0-9-]+) ([^ ]+).*/\2 \3/p'
}

# Prints the option that a letter stands for: "-p" is "--pid" of record, but "--palette" of run.
_brazier_long() { # LETTER COMMAND
    brazier "$2" --help 2>/dev/null | sed -nE "s/^ +$1, (--[a-z-]+).*/\1/p"
}

_brazier_commands() {
    brazier --help 2>/dev/null | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p'
}

# Prints the command that a first word stands for: the name of run may be left out before a file.
_brazier_command() { # WORD
    if [[ -e $1 ]] && ! grep -qx -- "$1" <<<"$(_brazier_commands)"; then
        echo run
    else
        echo "$1"
    fi
}

# The commands of a command such as plugin: the first word of each line of its own part of the help.
_brazier_subcommands() {
    brazier "$1" --help 2>/dev/null | sed -nE '3,/^$/s/^([a-z]+) .*/\1/p' | sort -u
}

_brazier_components() {
    brazier plugin list 2>/dev/null | awk -v kind="$1" '$1 == kind { print $2 }'
}

# The names of a section of the configuration.
_brazier_configured() {
    brazier config show 2>/dev/null | awk -v section="$1:" '
        /^[a-z_]+:/ { inside = $1 == section }
        inside && /^  [^ ]/ { sub(/:.*/, ""); print $1 }'
}

# Prints the options of a component with what they take: "unit plain|auto".
_brazier_component_options() { # COMPONENT
    brazier plugin info "$1" 2>/dev/null | sed -nE '
        s/^ +(-[A-Za-z], )?--\[no-\]([a-z0-9-]+).*/\2 true|false/p
        t
        s/^ +(-[A-Za-z], )?--([a-z0-9-]+)(  .*)?$/\2 true|false/p
        t
        s/^ +(-[A-Za-z], )?--([a-z0-9-]+) ([^ ]+).*/\2 \3/p'
}

# The words that can follow in COMPONENT.OPTION=VALUE.
_brazier_settings() { # WORD
    local component=${1%%.*} option=${1#*.}
    option=${option%%=*}
    case $1 in
    *.*=*)
        _brazier_component_options "$component" | sed -n "s/^$option \(.*|.*\)/\1/p" |
            tr '|' '\n' | sed "s/^/$component.$option=/"
        ;;
    *.*) _brazier_component_options "$component" | sed "s/^\([^ ]*\).*/$component.\1=/" ;;
    *) for kind in collapser palette output transform; do _brazier_components $kind; done | sed 's/$/./' ;;
    esac
}

# The values that an option can have; nothing for those that are files.
_brazier_values() { # OPTION WHAT-IT-TAKES
    case $2 in
    PART=*)
        printf '%s=\n' process thread cpu
        return
        ;;
    PART*)
        printf '%s\n' process thread cpu
        return
        ;;
    esac
    case $1 in
    --from) _brazier_components collapser; echo guess ;;
    --to) _brazier_components output ;;
    --reads) _brazier_components collapser ;;
    --transform) _brazier_components transform ;;
    --only | --skip | --in-process) brazier plugin check --list 2>/dev/null | cut -d' ' -f1 ;;
    --palette) _brazier_components palette; _brazier_configured palettes ;;
    *) sed -n '/|/p' <<<"$2" | tr '|' '\n' ;;
    esac
}

_brazier() {
    local cur prev word command='' format='' options takes='' i # `format` may be that of `plugin check`, too
    local -a uses=()
    COMPREPLY=()
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $cur == "=" ]]; then
        cur=''
    elif [[ $prev == "=" ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word =~ ^(-[ftpo]|--(from|to|palette|output|transform))$ && $((i + 1)) -lt COMP_CWORD ]]; then
            i=$((i + 1))
            [[ ${COMP_WORDS[i]} == "=" ]] && i=$((i + 1))
            uses+=("$word" "${COMP_WORDS[i]}")
        fi
        if [[ $word =~ ^--(config|plugin|plugin-dir)$ ]]; then
            i=$((i + 1))
            [[ ${COMP_WORDS[i]} == "=" ]] && i=$((i + 1))
        fi
        [[ $word == -* ]] && continue
        if [[ -z $command ]]; then
            command=$(_brazier_command "$word")
        elif [[ $command =~ ^(collapse|plugin|config)$ && -z $format ]]; then
            format=$word
        fi
    done
    if [[ $command =~ ^(plugin|config)$ && -z $format && $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_brazier_options | cut -d' ' -f1)" -- "$cur")
        return
    fi
    if [[ -z $command ]]; then
        options=$(_brazier_options)
        takes=$(sed -n "s/^$prev //p" <<<"$options")
        if [[ $takes == FILE ]]; then
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        elif [[ $takes == DIR ]]; then
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        elif [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$(cut -d' ' -f1 <<<"$options")" -- "$cur")
        else
            mapfile -t COMPREPLY < <(
                compgen -W "$(_brazier_commands)" -- "$cur"
                compgen -f -- "$cur"
            )
        fi
        return
    fi
    options=$(_brazier_options "$command" ${format:+"$format"} "${uses[@]}")
    if [[ $prev == -[A-Za-z] ]]; then
        prev=$(_brazier_long "$prev" "$command")
    fi
    if [[ $prev == --* ]]; then
        takes=$(sed -n "s/^$prev //p" <<<"$options")
    fi
    # a word may be divided at "="
    if [[ $prev == *.* && $COMP_CWORD -ge 4 && ${COMP_WORDS[COMP_CWORD - 1]} == "=" ||
        $prev == *.* && $cur == "" && ${COMP_WORDS[COMP_CWORD]} == "=" ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_brazier_settings "$prev=" | sed 's/.*=//')" -- "$cur")
    elif [[ $prev == --set ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_brazier_settings "$cur")" -- "$cur")
        [[ ${COMPREPLY[0]} == *[.=] ]] && compopt -o nospace 2>/dev/null
    elif [[ $takes == *,* && $cur == *,* ]]; then
        mapfile -t COMPREPLY < <(compgen -P "${cur%,*}," -W "$(_brazier_values "$prev" "$takes")" -- "${cur##*,}")
    elif [[ -n $takes ]]; then
        case $takes in
        FILE) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
        DIR) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$(_brazier_values "$prev" "$takes")" -- "$cur") ;;
        esac
    elif [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(cut -d' ' -f1 <<<"$options")" -- "$cur")
    else
        mapfile -t COMPREPLY < <(
            compgen -W "$(_brazier_words "$command" "$format" "$prev")" -- "$cur"
            _brazier_wants_file "$command" "$format" "$prev" && compgen -f -- "$cur"
        )
    fi
}

_brazier_wants_file() { # COMMAND FORMAT THE-WORD-BEFORE
    case $1 in
    collapse) [[ -n $2 ]] ;;
    plugin | config) [[ $3 == why || $3 == check || $3 == init ]] ;;
    help) false ;;
    esac
}

# The words, other than files, that can come next.
_brazier_words() { # COMMAND FORMAT THE-WORD-BEFORE
    case $1 in
    run) [[ $3 == run ]] && _brazier_configured pipelines ;;
    collapse) [[ -z $2 ]] && { _brazier_components collapser; echo guess; } ;;
    plugin | config)
        if [[ $3 == "$1" ]]; then
            _brazier_subcommands "$1"
        elif [[ $3 == info ]]; then
            for kind in collapser palette output transform; do _brazier_components $kind; done
        elif [[ $3 == show ]]; then
            _brazier_configured pipelines
        fi
        ;;
    help) _brazier_commands ;;
    esac
}

complete -o filenames -F _brazier brazier
