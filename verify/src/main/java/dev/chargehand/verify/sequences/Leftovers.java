package dev.chargehand.verify.sequences;

import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a closed SQLite file still has of the words of a sequence. */
final class Leftovers {

    private static final int SHOWN = 60;

    private Leftovers() {}

    /** Return the places of the file that have the words. */
    static List<String> of(StorePlace place, String mark) throws IOException {
        String file = place.address().substring(place.address().indexOf(':') + 1);
        List<String> found = new ArrayList<>();
        for (String part : new String[] {"", "-wal"}) {
            Path path = Path.of(file + part);
            if (Files.exists(path)) {
                String bytes = Files.readString(path, StandardCharsets.ISO_8859_1);
                for (int at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
                    found.add("file" + part + " at " + at + " has "
                            + bytes.substring(Math.max(0, at - SHOWN), Math.min(bytes.length(), at + SHOWN)));
                }
            }
        }
        return found;
    }
}
