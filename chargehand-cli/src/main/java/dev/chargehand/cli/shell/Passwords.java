package dev.chargehand.cli.shell;

import java.util.regex.Pattern;

/** Hides the passwords of URLs in what is printed about a command line or a file that is wrong. */
final class Passwords {

    private static final Pattern SETTING = Pattern.compile("(?i)(password=)[^&\\s]+");
    private static final Pattern LOGIN = Pattern.compile("(//[^/@\\s:]*:)\\S{1,1000}@");

    private Passwords() {}

    static String hidden(String text) {
        return LOGIN.matcher(SETTING.matcher(text).replaceAll("$1***")).replaceAll("$1***@");
    }
}
