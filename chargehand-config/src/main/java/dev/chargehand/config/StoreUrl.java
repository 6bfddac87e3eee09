package dev.chargehand.config;

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

/**
 * Reads the URL of a store. The driver is not called: it logs what it does not understand.
 *
 * @param at the position of the URL, for mistakes
 * @param environment for user and password
 */
record StoreUrl(Position at, Variables environment) {

    static final String SQLITE = "jdbc:sqlite:";
    static final String POSTGRES = "jdbc:postgresql://";
    static final Pattern ANY_URL = Pattern.compile("(?i)jdbc:|[a-z][a-z0-9+.-]{1,100}://");

    StoreLocation file(String path, Path folder) {
        if (path.isBlank() || path.startsWith(":") || path.startsWith("file:") || path.contains("?")) {
            throw wrong("after jdbc:sqlite: comes the path of a file, without settings");
        }
        return new StoreLocation.OfFile(at.path(folder, path));
    }

    StoreLocation database(String behindSlashes) {
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
        return new StoreLocation.OfDatabase(POSTGRES + place + rest, userOr(user), passwordOr(password));
    }

    private String userOr(@Nullable String inUrl) {
        String user = inUrl == null ? environment.get(StoreLocation.USER) : inUrl;
        if (user == null) {
            throw at.error(
                    "the database's URL names no user. Add ?user=NAME to it, or set " + StoreLocation.USER + ".");
        }
        return user;
    }

    private String passwordOr(@Nullable String inUrl) {
        String password = inUrl == null ? environment.get(StoreLocation.PASSWORD) : inUrl;
        return password == null ? "" : password;
    }

    private String decoded(String encoded) {
        try {
            return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("user or password have a % without two hexadecimal digits");
        }
    }

    ConfigurationException wrong(String why) {
        return at.error("this names no store: " + why + ". Allowed: the path of a file, " + SQLITE + "PATH, or "
                + POSTGRES + "HOST:PORT/DATABASE, with the settings user and password behind a '?', or with "
                + StoreLocation.USER
                + " and "
                + StoreLocation.PASSWORD + " in the environment.");
    }
}
