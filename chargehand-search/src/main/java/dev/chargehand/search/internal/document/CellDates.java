package dev.chargehand.search.internal.document;

import java.io.IOException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.Set;

/** Determines which cells of a workbook show a date: it stores the number of days since 1899-12-30. */
final class CellDates {

    static final CellDates NONE = new CellDates();

    private static final LocalDateTime FIRST = LocalDate.of(1899, 12, 30).atStartOfDay();
    private static final double LAST = 2_958_466; // the end of 9999

    private final Set<Integer> styles = new HashSet<>();

    static CellDates of(Xml xml) throws IOException {
        CellDates dates = new CellDates();
        Set<Integer> formats = new HashSet<>();
        for (int builtIn = 14; builtIn <= 22; builtIn++) {
            formats.add(builtIn);
        }
        boolean cells = false;
        int style = 0;
        while (xml.next()) {
            if (xml.begins("numFmt")) {
                String code = xml.attribute("formatCode").replaceAll("\"[^\"]*\"|\\[[^\\[\\]]*+\\]|\\\\.", "");
                if (code.matches("(?is).*[yd].*")) {
                    formats.add(xml.number("numFmtId", -1));
                }
            } else if (xml.begins("cellXfs") || xml.ends("cellXfs")) {
                cells = xml.begins();
            } else if (cells && xml.begins("xf")) {
                if (formats.contains(xml.number("numFmtId", 0))) {
                    dates.styles.add(style);
                }
                style++;
            }
        }
        return dates;
    }

    /** Return a number as it stands, or as a date such as {@code 2026-05-04}. */
    String shown(int style, String value) {
        if (!styles.contains(style)) {
            return value;
        }
        try {
            double days = Double.parseDouble(value);
            if (!(days >= 1 && days < LAST)) {
                return value;
            }
            LocalDateTime time = FIRST.plusSeconds(Math.round(days * 86_400));
            return days == Math.rint(days)
                    ? time.toLocalDate().toString()
                    : time.toString().replace('T', ' ');
        } catch (NumberFormatException e) {
            return value;
        }
    }
}
