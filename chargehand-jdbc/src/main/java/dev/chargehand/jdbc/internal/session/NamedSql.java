package dev.chargehand.jdbc.internal.session;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement with its parameters, each a colon and a name, in the form that JDBC takes: a question mark for each.
 *
 * @param text the statement with question marks
 * @param names the name of each question mark, in their order; a name may be there several times
 */
record NamedSql(String text, List<String> names) {

    /** Find the parameters of a statement. Text between single or double quotes is not changed. */
    static NamedSql of(String sql) {
        StringBuilder text = new StringBuilder(sql.length());
        List<String> names = new ArrayList<>();
        for (int i = 0; i < sql.length(); ) {
            char c = sql.charAt(i);
            int end = i + 1;
            if (c == '\'' || c == '"') {
                int closing = sql.indexOf(c, end);
                end = closing < 0 ? sql.length() : closing + 1;
                text.append(sql, i, end);
            } else if (c == ':') {
                while (end < sql.length() && Character.isLetterOrDigit(sql.charAt(end))) {
                    end++;
                }
                names.add(sql.substring(i + 1, end).intern());
                text.append('?');
            } else {
                text.append(c);
            }
            i = end;
        }
        return new NamedSql(text.toString(), List.copyOf(names));
    }
}
