# Heliograph for machines without Node.js: one function for any POSIX shell, with curl.
#
#   . ./heliograph.sh
#   export HELIOGRAPH_URL=https://heliograph.example.org HELIOGRAPH_TOKEN=hlk_…
#
#   heliograph send TITLE BODY [MEMBER=TEXT…]        heliograph send Backup done level=passive source=nas
#   heliograph alert TITLE BODY [MEMBER=TEXT…]       repeats until somebody acknowledges
#   heliograph ask TITLE BODY ID=LABEL…              waits, prints the id of the answer; 7 after HELIOGRAPH_TIMEOUT seconds
#   heliograph activity SLUG STATE [PROGRESS]        starts or updates a live activity; PROGRESS is 0 to 1
#   heliograph end SLUG STATE                        ends it
#
# Prints the id of a notification. Errors are one line on standard error and a status: 2 wrong usage, 3 refused, 6 unavailable.

heliograph() {
  if [ -z "${HELIOGRAPH_URL:-}" ] || [ -z "${HELIOGRAPH_TOKEN:-}" ]; then
    echo 'heliograph: set HELIOGRAPH_URL and HELIOGRAPH_TOKEN' >&2
    return 2
  fi
  # In a subshell, so that no variable of the caller is changed.
  case "${1:-}:$#" in
    send:[0-2] | alert:[0-2] | ask:[0-3] | activity:[0-2] | end:[0-2]) ;;
    send:* | alert:* | ask:* | activity:* | end:*) ("_heliograph_$@"); return ;;
  esac
  echo 'heliograph: usage: send|alert TITLE BODY [MEMBER=TEXT…], ask TITLE BODY ID=LABEL…, activity SLUG STATE [PROGRESS], end SLUG STATE' >&2
  return 2
}

_heliograph_send() {
  _heliograph_notify '' "$@"
}

_heliograph_alert() {
  _heliograph_notify ',"acknowledge":{}' "$@"
}

_heliograph_notify() {
  members="$1,\"title\":$(_heliograph_json "$2"),\"body\":$(_heliograph_json "$3")"
  shift 3
  for member; do
    members="$members,$(_heliograph_json "${member%%=*}"):$(_heliograph_json "${member#*=}")"
  done
  sent=$(_heliograph_request POST /notifications "{${members#,}}") || return
  printf '%s\n' "$sent" | sed 's/^{"id":\([0-9]*\).*/\1/'
}

_heliograph_ask() {
  members="\"title\":$(_heliograph_json "$1"),\"body\":$(_heliograph_json "$2")"
  shift 2
  actions=
  for action; do
    actions="$actions,{\"id\":$(_heliograph_json "${action%%=*}"),\"title\":$(_heliograph_json "${action#*=}")}"
  done
  sent=$(_heliograph_request POST /notifications "{$members,\"actions\":[${actions#,}]}") || return
  id=$(printf '%s\n' "$sent" | sed 's/^{"id":\([0-9]*\).*/\1/')
  deadline=$(($(date +%s) + ${HELIOGRAPH_TIMEOUT:-3600}))
  while remaining=$((deadline - $(date +%s))) && [ "$remaining" -gt 0 ]; do
    [ "$remaining" -lt 25 ] || remaining=25
    # A server that restarts, or has too many open waits, is asked again.
    failure=0
    answer=$(_heliograph_request GET "/notifications/answers/$id?wait=$remaining") || failure=$?
    case $failure in
      0)
        chosen=$(printf '%s\n' "$answer" | sed -n 's/.*"action_id":"\([^"]*\)".*/\1/p')
        [ -z "$chosen" ] || { printf '%s\n' "$chosen"; return; }
        ;;
      6) sleep 1 ;;
      *) return "$failure" ;;
    esac
  done
  echo "heliograph: notification $id was not answered in time" >&2
  return 7
}

_heliograph_activity() {
  case ${3:-0} in
    *[!0-9.]*)
      echo "heliograph: PROGRESS is a number from 0 to 1, not $3" >&2
      return 2
      ;;
  esac
  content="\"state\":$(_heliograph_json "$2")${3:+,\"progress\":$3}"
  _heliograph_request PATCH "/activities/$1?upsert=true" "{\"state\":\"ongoing\",\"content\":{$content}}" >/dev/null
}

_heliograph_end() {
  _heliograph_request PATCH "/activities/$1?upsert=true" \
    "{\"state\":\"ended\",\"content\":{\"state\":$(_heliograph_json "$2")}}" >/dev/null
}

# METHOD PATH [BODY]. Token and body go to curl by standard input: other users of the machine can read arguments. curl repeats
# 429, 503 and refused connections as late as Retry-After says; the Idempotency-Key makes that safe. The body goes to a file,
# which curl empties before it repeats a request: in a pipe the bodies of all attempts would follow each other.
_heliograph_request() (
  document=$(mktemp) || exit 6
  trap 'rm -f "$document"' EXIT
  key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  attempts=1
  # A connection that broke may have left an attempt behind, which the server gives up after ten seconds.
  until _heliograph_attempt "$@" || [ "$attempts" -ge 20 ]; do
    attempts=$((attempts + 1))
    sleep 1
  done
  case $status in
    2??) cat "$document"; echo ;;
    000) exit 6 ;;
    *)
      detail=$(sed -n 's/.*"detail":"\([^"]*\)".*/\1/p' "$document")
      echo "heliograph: ${detail:-$HELIOGRAPH_URL answered $status}" >&2
      case $status in 429 | 5??) exit 6 ;; esac
      exit 3
      ;;
  esac
)

# Sets `status`, 000 without a response. Fails if the same request is worth another attempt.
_heliograph_attempt() {
  failure=0
  status=$(
    {
      printf 'header = "Authorization: Bearer %s"\n' "$HELIOGRAPH_TOKEN"
      printf 'header = "Idempotency-Key: %s"\n' "$key"
      if [ $# -gt 2 ]; then
        printf 'header = "Content-Type: application/json"\n'
        printf 'data-binary = "%s"\n' "$(printf '%s' "$3" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g')"
      fi
    } | curl --config - --silent --show-error --max-time 60 --retry 4 --retry-connrefused --retry-max-time 60 \
      --request "$1" --output "$document" --write-out '%{http_code}' "${HELIOGRAPH_URL%/}$2"
  ) || failure=$?
  # 52 and 56: the connection broke before or within the response.
  case $failure:$status in
    0:409) ! grep -q '"idempotency.in_progress"' "$document" ;;
    5[26]:*) status=000; [ "$attempts" -ge 5 ] ;;
    0:*) ;;
    *) status=000 ;;
  esac
}

# A text as JSON. Control characters other than tab, line feed and carriage return are left out. awk only joins the lines: the
# awks differ in how they read a backslash in the replacement of gsub.
_heliograph_json() {
  printf '"%s"' "$(
    printf '%s\n' "$1" | tr -d '\000-\010\013\014\016-\037' |
      sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e "s/$(printf '\t')/\\\\t/g" -e "s/$(printf '\r')/\\\\r/g" |
      awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }'
  )"
}
