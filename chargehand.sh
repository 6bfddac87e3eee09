#!/bin/sh
# Starts the chargehand command from a checkout: finds a JDK 21 or newer, builds what is missing or out of date, runs it.
# CHARGEHAND_JAVA_HOME   use this JDK and no other
# CHARGEHAND_SKIP_BUILD  when set, run the jar that is there, whatever its age
set -u

fail() { # exit code, sentence
  printf 'chargehand: %s\n' "$2" >&2
  exit "$1"
}

# Sets $target to the file behind $1 when that is a symbolic link, or a chain of them.
follow() {
  target=$1
  while [ -h "$target" ]; do
    link=$(readlink "$target") || break
    case $link in
      /*) target=$link ;;
      *) target=$(dirname "$target")/$link ;;
    esac
  done
}

# Sets $major to the feature release of the JDK in folder $1, 0 when there is none. Starts no JVM: the file tells.
release_of() {
  major=0
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      JAVA_VERSION=*)
        line=${line#JAVA_VERSION=}
        line=${line#\"}
        major=${line%%[!0-9]*}
        [ -n "$major" ] || major=0
        ;;
    esac
  done <"$1/release"
}

# Sets $jdk: what the user chose, else JAVA_HOME, else java on the PATH, else the newest in the usual folders.
find_jdk() {
  if [ -n "${CHARGEHAND_JAVA_HOME:-}" ]; then
    jdk=$CHARGEHAND_JAVA_HOME
    release_of "$jdk"
    [ "$major" -ge 21 ] || fail 69 "CHARGEHAND_JAVA_HOME is $jdk, which holds no JDK 21 or newer; correct it or unset it."
    return
  fi
  jdk=${JAVA_HOME:-}
  if [ -n "$jdk" ]; then
    release_of "$jdk"
    [ "$major" -lt 21 ] || return 0
  fi
  if java=$(command -v java); then
    follow "$java"
    jdk=$(dirname "$(dirname "$target")")
    release_of "$jdk"
    [ "$major" -lt 21 ] || return 0
  fi
  best=20
  jdk=
  for candidate in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /opt/* /opt/java/* /opt/jdk/* \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* "${HOME:-}"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    release_of "$candidate"
    if [ "$major" -gt "$best" ]; then
      best=$major
      jdk=$candidate
    fi
  done
  [ -n "$jdk" ] || fail 69 \
    "needs a JDK 21 or newer and found none: install one, for example Temurin 25 (https://adoptium.net) or the package openjdk-21-jdk."
}

# True when the jar is missing or something it is made of has changed since; folders tell of deleted files.
out_of_date() {
  [ -f "$jar" ] || return 0
  [ -n "$(find "$root/pom.xml" "$root"/chargehand*/pom.xml "$root"/chargehand*/src/main -newer "$jar" -print 2>/dev/null | head -n 1)" ]
}

build() {
  command -v mvn >/dev/null || fail 69 "has to be built first and found no mvn: install Apache Maven 3.8 or newer."
  log=$root/target/chargehand-build.log
  mkdir -p "$root/target" || fail 73 "cannot write to $root/target."
  if [ -f "$jar" ]; then why='sources have changed, building again'; else why='building, which the first time takes a minute'; fi
  printf 'chargehand: %s (log: %s)\n' "$why" "$log" >&2
  # The jar gets the time at which the build began, so that a change made meanwhile is not missed.
  : >"$root/target/chargehand-build.start"
  (
    cd "$root" || exit
    # A runtime without a compiler cannot build: then Maven looks for a JDK itself.
    [ ! -x "$jdk/bin/javac" ] || { JAVA_HOME=$jdk && export JAVA_HOME; }
    mvn -q -B -ntp -DskipTests -Dmaven.test.skip=true -Dspotless.check.skip=true -Denforcer.skip=true \
      -pl chargehand-cli -am package
  ) >"$log" 2>&1 </dev/null || {
    cat "$log" >&2
    fail 70 "the build failed; its output is above and in $log."
  }
  touch -r "$root/target/chargehand-build.start" "$jar"
}

follow "$0"
root=$(CDPATH='' cd -P "$(dirname "$target")" && pwd) || fail 66 "cannot find its own folder."
jar=$root/chargehand-cli/target/chargehand-cli.jar

find_jdk
[ -n "${CHARGEHAND_SKIP_BUILD:-}" ] || ! out_of_date || build
# Short commands: the simpler compiler and collector start faster.
exec "$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -jar "$jar" "$@"
