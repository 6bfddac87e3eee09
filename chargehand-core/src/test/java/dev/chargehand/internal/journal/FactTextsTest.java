package dev.chargehand.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.FactEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A fact is stored as the same text, character for character, whatever becomes of the types that hold it in memory. */
class FactTextsTest {

    private static final Path FROZEN = Path.of("src/test/resources/facts/texts.txt");

    @Test
    void everyFactIsWrittenAsTheFrozenText() throws IOException {
        List<String> written =
                FactSamples.all().map(FactCodec::write).map(FactTextsTest::line).toList();
        assertThat(written).containsExactlyElementsOf(Files.readAllLines(FROZEN));
    }

    @Test
    void aFactThatIsReadIsWrittenAsItWasRead() throws IOException {
        for (String line : Files.readAllLines(FROZEN)) {
            String[] parts = line.split(" ", 3);
            FactEntry entry = FactEntry.of(parts[0], Integer.parseInt(parts[1]), parts[2]);
            assertThat(line(FactCodec.write(FactCodec.read(entry)))).isEqualTo(line);
        }
    }

    private static String line(FactEntry entry) {
        return entry.type() + " " + entry.version() + " " + entry.text();
    }
}
