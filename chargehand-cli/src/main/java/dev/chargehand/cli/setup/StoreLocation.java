package dev.chargehand.cli.setup;

import dev.chargehand.document.Position;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where runs and conversations are kept: what {@code --store} or the agents' file names. */
public sealed interface StoreLocation {

    /** The user of a database whose URL does not contain one. */
    String USER = "CHARGEHAND_STORE_USER";

    /** The password to connect with to a database whose URL has none. */
    String PASSWORD = "CHARGEHAND_STORE_PASSWORD";

    /** A SQLite file. */
    record OfFile(Path path) implements StoreLocation {}

    /**
     * A PostgreSQL database.
     *
     * @param url without user and password, so that they cannot be disclosed
     */
    record OfDatabase(String url, String user, String password) implements StoreLocation {

        @Override
        public String toString() {
            return url.split("\\?", 2)[0];
        }
    }

    /**
     * Read what was named.
     *
     * @param at where it was named
     * @param folder what a path is relative to
     * @throws ConfigurationException if it names no store; it is not repeated, because a password may be in it
     */
    static StoreLocation of(String named, Position at, Path folder, Variables environment) {
        if (named.startsWith(Reader.SQLITE)) {
            return new Reader(at, environment).file(named.substring(Reader.SQLITE.length()), folder);
        }
        if (named.startsWith(Reader.POSTGRES)) {
            return new Reader(at, environment).database(named.substring(Reader.POSTGRES.length()));
        }
        if (Reader.ANY_URL.matcher(named).lookingAt()) {
            throw new Reader(at, environment).wrong("this is the URL of something else");
        }
        return new OfFile(folder.resolve(named));
    }

    /** Return what was named as it may be shown: of a URL neither the login nor the settings, which may be secret. */
    static String shown(String named) {
        return Reader.ANY_URL.matcher(named).lookingAt()
                ? named.split("\\?", 2)[0].replaceFirst("//[^/]*@", "//")
                : named;
    }

    /** Takes a URL apart. The driver is not asked: it logs what it does not understand. */
    record Reader(Position at, Variables environment) {

        private static final String SQLITE = "jdbc:sqlite:";
        private static final String POSTGRES = "jdbc:postgresql://";
        private static final Pattern ANY_URL = Pattern.compile("(?i)jdbc:|[a-z][a-z0-9+.-]{1,100}://");

        private StoreLocation file(String path, Path folder) {
            if (path.isBlank() || path.startsWith(":") || path.startsWith("file:") || path.contains("?")) {
                throw wrong("after jdbc:sqlite: comes the path of a file, without settings");
            }
            return new OfFile(folder.resolve(path));
        }

        private StoreLocation database(String behindSlashes) {
            String[] parts = behindSlashes.split("\\?", 2);
            int path = parts[0].indexOf('/');
            String server = path < 0 ? parts[0] : parts[0].substring(0, path);
            String name = path < 0 ? "" : parts[0].substring(path);
            String user = null;
            String password = null;
            int host = server.lastIndexOf('@') + 1;
            if (host > 0) {
                String[] login = server.substring(0, host - 1).split(":", 2);
                user = decoded(login[0]);
                password = login.length == 2 ? decoded(login[1]) : null;
            }
            List<String> settings = new ArrayList<>();
            for (String setting : parts.length == 2 ? parts[1].split("&") : new String[0]) {
                if (setting.startsWith("user=")) {
                    user = decoded(setting.substring("user=".length()));
                } else if (setting.startsWith("password=")) {
                    password = decoded(setting.substring("password=".length()));
                } else {
                    settings.add(setting);
                }
            }
            String place = server.substring(host) + name;
            String rest = settings.isEmpty() ? "" : "?" + String.join("&", settings);
            if (host == server.length() || (place + rest).contains("@")) {
                throw wrong("it names no host, or user or password have one of @ / ? & % that is not written as %40 %2F"
                        + " %3F %26 %25");
            }
            return new OfDatabase(POSTGRES + place + rest, userOr(user), passwordOr(password));
        }

        private String userOr(@Nullable String inUrl) {
            String user = inUrl == null ? environment.get(USER) : inUrl;
            if (user == null) {
                throw at.error("the database's URL names no user. Add ?user=NAME to it, or set " + USER + ".");
            }
            return user;
        }

        private String passwordOr(@Nullable String inUrl) {
            String password = inUrl == null ? environment.get(PASSWORD) : inUrl;
            return password == null ? "" : password;
        }

        private String decoded(String encoded) {
            try {
                return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                throw wrong("user or password have a % without two hexadecimal digits");
            }
        }

        private ConfigurationException wrong(String why) {
            return at.error("this names no store: " + why + ". Allowed: the path of a file, " + SQLITE + "PATH, or "
                    + POSTGRES + "HOST:PORT/DATABASE, with the settings user and password behind a '?', or with " + USER
                    + " and "
                    + PASSWORD + " in the environment.");
        }
    }
}
