# Builds a module of the checkout for a script that then starts it; sourced after find-jdk.sh. Needs a POSIX shell.

# Sets $jar to the jar $2 of module $1: the newer one of those that a whole build and build_module make.
find_jar() {
  jar=$root/$1/target/$2
  unchecked=$root/$1/target/unchecked/$2
  [ ! -f "$unchecked" ] || { [ -f "$jar" ] && [ ! "$unchecked" -nt "$jar" ]; } || jar=$unchecked
}

# True when $jar is missing, or a file of the modules or of the paths $@ has changed since; folders tell of deleted files.
out_of_date() {
  [ -f "$jar" ] || return 0
  [ -n "$(find "$root/pom.xml" "$root"/chargehand*/pom.xml "$root"/chargehand*/src/main "$@" -newer "$jar" -print 2>/dev/null | head -n 1)" ]
}

# Builds module $2 and what it needs, without tests, and sets $jar to its jar $3. The rest are options of Maven. Progress is reported
# on standard error, as the program $1; all output of Maven is in target/$1-build.log. A runtime without a compiler cannot build:
# then Maven looks for a JDK itself, and makes what a whole build makes.
build_module() {
  program=$1 module=$2 name=$3
  shift 3
  command -v mvn >/dev/null || fail 69 "has to be built first and found no mvn: install Apache Maven 3.8 or newer."
  log=$root/target/$program-build.log
  mkdir -p "$root/target" || fail 73 "cannot write to $root/target."
  if [ -x "$jdk/bin/javac" ]; then
    jar=$root/$module/target/unchecked/$name
    set -- "-Dunchecked=$module" "$@"
  else
    jar=$root/$module/target/$name
    set -- -Dmaven.test.skip=true -Dspotless.check.skip=true -Denforcer.skip=true "$@"
  fi
  printf '%s: building (log: %s)\n' "$program" "$log" >&2
  : >"$log"
  : >"$log.start"
  rm -f "$log.failed"
  # In a subshell, because the folder and the JDK are for Maven only; and a pipe has the exit code of its last command only.
  (
    cd "$root" || exit
    [ ! -x "$jdk/bin/javac" ] || { JAVA_HOME=$jdk && export JAVA_HOME; }
    mvn -B -ntp "$@" -pl "$module" -am package || : >"$log.failed"
  ) 2>&1 </dev/null | while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    report_module "$line"
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
  [ ! -f "$log.failed" ] || {
    cat "$log" >&2
    fail 70 "the build failed; its output is above and in $log."
  }
  # The jar gets the time at which the build began, so that a change made meanwhile is not missed.
  touch -r "$log.start" "$jar"
}

# Reports the module whose build starts with line $1 of Maven's output; on a terminal in one line, which changes.
report_module() {
  case $1 in
    '[INFO] Building '*' ['*/*']') ;;
    *) return 0 ;;
  esac
  place=${1##*\[}
  place=${place%]}
  what=${1#'[INFO] Building '}
  what=${what%% [0-9]*}
  if [ -t 2 ]; then before='\r\033[K' after=''; else before='' after='\n'; fi
  # shellcheck disable=SC2059 # escapes of the format
  printf "$before%s: module %s of %s: %s$after" "$program" "${place%/*}" "${place#*/}" "$what" >&2
}
