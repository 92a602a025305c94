#!/usr/bin/env bash
# The step of action.yml. A notification or an activity that cannot be sent is a warning: it must not fail the job. A question
# that was not answered fails the step.
set -euo pipefail

# The code that gets the token comes from the server that it is a token of.
package=${INPUT_PACKAGE:-${HELIOGRAPH_URL%/}/clients/heliograph-cli.tgz}

# With the default of npm, a job would wait for more than a minute for a server that is not there.
export npm_config_fetch_retries=${npm_config_fetch_retries:-1}

heliograph() {
  npx --yes --allow-remote=root --package "$package" heliograph "$@"
}

warn() {
  echo "::warning title=Heliograph::$1"
}

notify() {
  heliograph send --level "$INPUT_LEVEL" --link "$RUN_URL" --source github -- "$INPUT_TITLE" "$INPUT_BODY" ||
    warn 'the notification was not sent'
}

start() {
  heliograph activity start --name "$INPUT_TITLE" -- "$INPUT_SLUG" template=generic "state=Running" ||
    warn 'the activity was not started'
}

end() {
  local sound=success
  [[ $INPUT_STATUS == success ]] || sound=alert
  heliograph activity end --sound "$sound" -- "$INPUT_SLUG" "state=${INPUT_STATUS^}" ||
    warn 'the activity was not ended'
}

ask() {
  local answers=() line answer
  while IFS= read -r line; do
    [[ -z $line ]] || answers+=(--action "$line")
  done <<<"$INPUT_ACTIONS"
  answer=$(heliograph ask "${answers[@]}" --timeout "$INPUT_TIMEOUT" --level "$INPUT_LEVEL" --link "$RUN_URL" \
    --source github -- "$INPUT_TITLE" "$INPUT_BODY" | head -n 1)
  echo "answer=$answer" >>"$GITHUB_OUTPUT"
  if [[ -n $INPUT_PROCEED_ON && $answer != "$INPUT_PROCEED_ON" ]]; then
    echo "::error title=Heliograph::the answer is \"$answer\""
    exit 1
  fi
}

case $INPUT_COMMAND in
  notify | start | end | ask) "$INPUT_COMMAND" ;;
  *)
    echo "::error title=Heliograph::command must be notify, start, end or ask"
    exit 2
    ;;
esac
