# Completes brazier's words in fish. The program itself lists them, so that they are right for all plug-ins and
# configurations.

# The words before the one being completed, without options and the program's name; the first is
# the command: the name of run may be left out before a file.
function __brazier_words
    set -l words (commandline -opc)
    set words (string match -v -- '-*' $words[2..-1])
    if test (count $words) -gt 0; and test -e "$words[1]"
        and not contains -- $words[1] (__brazier_commands | string replace -r '\t.*' '')
        echo run
    end
    string join \n -- $words
end

function __brazier_commands
    brazier --help 2>/dev/null | string replace -rf '^  ([a-z]+) +(.*)' '$1\t$2' |
        string match -rv '^(help|version)\t'
end

function __brazier_components
    brazier plugin list 2>/dev/null | string match -r "^$argv[1] .*" |
        string replace -r '^\S+ +(\S+) +\S+ +\S+ +\S+ +(.*)' '$1\t$2'
end

function __brazier_configured
    brazier config show 2>/dev/null | awk -v section="$argv[1]:" '
        /^[a-z_]+:/ { inside = $1 == section }
        inside && /^  [^ ]/ { sub(/:.*/, ""); print $1 }'
end

function __brazier_subcommands
    brazier $argv[1] --help 2>/dev/null | sed -nE '3,/^$/s/^([a-z]+) [^ ]*.*/\1/p' | sort -u
end

# The options before the cursor on which those of components depend.
function __brazier_uses
    set -l words (commandline -opc)
    for i in (seq 2 (count $words))
        if string match -qr -- '^(-[ftpo]|--(from|to|palette|output|transform))$' $words[$i]
            and test $i -lt (count $words)
            string join \n -- $words[$i] $words[(math $i + 1)]
        else if string match -qr -- '^--(from|to|palette|output|transform)=' $words[$i]
            echo $words[$i]
        end
    end
end

# The help of the command being typed; of a format too, if there is one. A command such as plugin has options of its
# commands only.
function __brazier_help
    set -l words (__brazier_words)
    if contains -- "$words[1]" plugin config; and test (count $words) -lt 2
        brazier --help 2>/dev/null
    else if contains -- "$words[1]" collapse plugin config
        brazier $words[1..2] (__brazier_uses) --help 2>/dev/null
    else
        brazier $words[1] (__brazier_uses) --help 2>/dev/null
    end
end

# Options, with their help.
function __brazier_options
    set -l help (__brazier_help)
    string replace -rf -- '^ +(?:-[A-Za-z], )?(--[a-z0-9-]+)(?: \S+)?(?:  +(.*))?$' '$1\t$2' $help
    string replace -rf -- '^ +--\[no-\]([a-z0-9-]+)(?:  +(.*))?$' '--$1\t$2' $help
    string replace -rf -- '^ +--\[no-\]([a-z0-9-]+)(?:  +(.*))?$' '--no-$1\tnot: $2' $help
end

# Prints the option before the cursor and its value: "output FILE", "unit a|b|c"; nothing if it takes none.
function __brazier_takes
    set -l before (commandline -opc)[-1]
    set -l current (commandline -ct)
    if string match -qr -- '^--[^=]+=' $current
        set before (string replace -r '=.*' '' -- $current)
    end
    set -l pattern (string escape --style=regex -- $before)
    if string match -qr -- '^-[A-Za-z]$' $before
        __brazier_help | string replace -rf -- "^ +$pattern, --([a-z-]+) (\S+).*" '$1 $2'
    else if string match -qr -- '^--' $before
        __brazier_help |
            string replace -rf -- "^ +(?:-[A-Za-z], )?$pattern (\S+).*" (string sub -s 3 -- $before)' $1'
    end
end

# The options of a component with what they take: "unit plain|auto".
function __brazier_component_options
    brazier plugin info $argv[1] 2>/dev/null | sed -nE '
        s/^ +(-[A-Za-z], )?--\[no-\]([a-z0-9-]+).*/\2 true|false/p
        t
        s/^ +(-[A-Za-z], )?--([a-z0-9-]+)(  .*)?$/\2 true|false/p
        t
        s/^ +(-[A-Za-z], )?--([a-z0-9-]+) ([^ ]+).*/\2 \3/p'
end

# The words that can follow in COMPONENT.OPTION=VALUE.
function __brazier_settings
    set -l word (string replace -r '^--set=' '' -- (commandline -ct))
    set -l parts (string match -r '^([^.]*)\.([^=]*)(=?)' -- $word)
    if test -z "$parts"
        for kind in collapser palette output transform
            __brazier_components $kind | string replace -r '\t.*' '' | string replace -r '$' .
        end
    else if test -z "$parts[4]"
        __brazier_component_options $parts[2] | string replace -r ' .*' '=' |
            string replace -r '^' "$parts[2]."
    else
        __brazier_component_options $parts[2] | string replace -rf "^$parts[3] (.*\|.*)" '$1' |
            string split '|' | string replace -r '^' "$parts[2].$parts[3]="
    end
end

# The names in front of the last comma of a list.
function __brazier_list_front
    string match -r -- '^.*,' (string replace -r '^--[^=]+=' '' -- (commandline -ct))
end

# Everything that can come next, other than files.
function __brazier_next
    set -l takes (string split ' ' -- (__brazier_takes))
    set -l current (commandline -ct)
    set -l front (string match -r -- '^--[^=]+=' $current)
    set -l words (__brazier_words)
    set -l list (__brazier_list_front)
    if test -n "$takes[2]"
        if string match -q 'PART=*' -- $takes[2]
            string join \n -- process= thread= cpu= | string replace -r -- '^' "$front"
            return
        end
        if string match -q 'PART*' -- $takes[2]
            string join \n -- process thread cpu | string replace -r -- '^' "$front$list"
            return
        end
        switch $takes[1]
            case set
                __brazier_settings
            case from
                string join \n -- guess (__brazier_components collapser)
            case to
                __brazier_components output
            case reads
                __brazier_components collapser
            case transform
                __brazier_components transform
            case only skip in-process
                brazier plugin check --list 2>/dev/null | string replace -r ' .*' ''
            case palette
                begin
                    __brazier_components palette
                    __brazier_configured palettes
                end | string replace -r -- '^' "$list"
            case '*'
                if string match -q '*|*' -- $takes[2]
                    string split '|' -- $takes[2]
                end
        end | string replace -r -- '^' "$front"
        return
    end
    if string match -q -- '-*' $current
        __brazier_options
        return
    end
    if test (count $words) -eq 0
        __brazier_commands
        return
    end
    switch "$words[1] $words[2]"
        case 'run '
            __brazier_configured pipelines
        case 'collapse '
            string join \n -- guess (__brazier_components collapser)
        case 'plugin ' 'config '
            __brazier_subcommands $words[1]
        case 'plugin info'
            for kind in collapser palette output transform
                __brazier_components $kind
            end
        case 'config show'
            __brazier_configured pipelines
        case 'help '
            __brazier_commands
    end
end

# Files are of no use for a command, a format, or an option that takes something else.
function __brazier_no_files
    set -l takes (string split ' ' -- (__brazier_takes))
    if test -n "$takes[2]"
        not string match -qr '^(FILE|DIR)$' -- $takes[2]
        return
    end
    set -l words (__brazier_words)
    switch "$words[1] $words[2]"
        case 'collapse ' 'plugin ' 'plugin info' 'plugin list' 'plugin new' 'config ' 'config s*' 'help*'
            return 0
    end
    return 1
end

complete -c brazier -n __brazier_no_files -f
complete -c brazier -a '(__brazier_next)'
