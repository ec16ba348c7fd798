#!/bin/sh
# SPDX-License-Identifier: MIT
# Comments the summary on the pull request, or replaces the comment that this action made before. Needs GitHub's gh;
# BRAZIER_FOLDER, BRAZIER_KEY and BRAZIER_PULL say what and where.
set -eu

[ -e "$BRAZIER_FOLDER/summary.md" ] || exit 0
key=$(printf %s "$BRAZIER_KEY" | tr -cd 'A-Za-z0-9_.')
mark="<!-- brazier $key -->"
body=$BRAZIER_FOLDER/comment.md
{
    printf '%s\n' "$mark"
    cat "$BRAZIER_FOLDER/summary.md"
} >"$body"
comments=repos/$GITHUB_REPOSITORY/issues/$BRAZIER_PULL/comments
# Only a comment of a bot: everybody can write the mark.
known=$(MARK=$mark gh api --paginate "$comments" \
    --jq '.[] | select(.user.type == "Bot" and (.body | startswith(env.MARK))) | .id' | tail -n 1)
if [ -n "$known" ]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$known" -F "body=@$body" >/dev/null
else
    gh api --method POST "$comments" -F "body=@$body" >/dev/null
fi
