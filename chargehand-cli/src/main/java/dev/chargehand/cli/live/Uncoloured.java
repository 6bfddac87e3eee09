package dev.chargehand.cli.live;

import org.jline.reader.Highlighter;
import org.jline.reader.LineReader;
import org.jline.utils.AttributedString;

/** Shows a line that is edited as it is. */
final class Uncoloured implements Highlighter {

    @Override
    public AttributedString highlight(LineReader reader, String line) {
        return new AttributedString(line);
    }
}
