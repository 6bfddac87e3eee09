# Finds a JDK 21 or newer; sourced by the launcher and by the other scripts. Needs a POSIX shell, starts no JVM.
# CHARGEHAND_JAVA_HOME   use this JDK and no other

fail() { # exit code, sentence
  printf 'chargehand: %s\n' "$2" >&2
  exit "$1"
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
    java=$(readlink -f "$java") || java=
    jdk=$(dirname "$(dirname "$java")")
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
