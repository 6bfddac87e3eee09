package dev.chargehand.config.internal.file;

import dev.chargehand.config.internal.key.ProviderKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A provider of models that speaks the protocol of OpenAI and whose address only the file knows.
 *
 * @param name the first part of its models' names
 * @param at where it is defined
 * @param baseUrl its address
 * @param key its key, which is a variable of the environment; null if it needs none
 * @param headers what is sent with every request
 */
public record ProviderEntry(
        String name, Position at, Setting baseUrl, @Nullable Setting key, Map<String, Setting> headers) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]*");

    public ProviderEntry {
        headers = Map.copyOf(new LinkedHashMap<>(headers));
    }

    static List<ProviderEntry> all(Section file) {
        Section section = file.section("providers", "'providers'");
        return section.keys().stream()
                .map(name -> of(name, section, file.mistakes()))
                .toList();
    }

    private static ProviderEntry of(String name, Section listed, Mistakes mistakes) {
        Position at = listed.at(name);
        String what = "provider '" + Section.shown(name) + "'";
        if (!NAME.matcher(name).matches()) {
            mistakes.add(
                    at,
                    what
                            + " has a name that cannot be used. Allowed are small letters, digits, '_', '-' and '.', such as"
                            + " my-gateway.");
        }
        Section section = listed.section(name, what).allowing(ProviderKeys.SECTION.names());
        if (!section.has("baseUrl")) {
            mistakes.add(at, what + " needs 'baseUrl', such as https://models.example.org/v1.");
        }
        Setting url = section.textOf("baseUrl");
        if (!url.text().isEmpty() && !url.text().contains("${") && !url.text().matches("https?://[^/\\s]+.*")) {
            mistakes.add(
                    url.at(),
                    "'baseUrl' of " + what + " must be an address such as https://models.example.org/v1, but is '"
                            + Section.shown(url.text()) + "'.");
        }
        Setting key = section.text("key");
        if (key != null && !key.text().contains("${")) {
            mistakes.add(
                    key.at(),
                    "'key' of " + what
                            + " must be a variable of the environment such as ${MY_KEY}, because a key does not"
                            + " belong in a file.");
        }
        return new ProviderEntry(name, at, url, key, section.words("headers", "'headers' of " + what));
    }
}
