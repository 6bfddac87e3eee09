package dev.chargehand.config.internal.key;

import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.util.List;

/** The keys of a provider. */
public final class ProviderKeys {

    public static final Key<Setting> BASE_URL = Key.of(
            "baseUrl",
            new Shape<>(
                            Shape.schema(
                                    "type",
                                    "string",
                                    "anyOf",
                                    List.of(
                                            Shape.schema("pattern", "^https?://[^/\\s]+"),
                                            Shape.schema("pattern", "\\$\\{"))),
                            Section::text)
                    .with("examples", List.of("https://models.example.org/v1")),
            "Its base URL.");

    public static final Key<Setting> KEY = Key.of(
            "key",
            new Shape<>(Shape.schema("type", "string", "pattern", "\\$\\{"), Section::text)
                    .with("examples", List.of("${MY_GATEWAY_KEY}")),
            "Its key, which is an environment variable; none by default.");

    public static final Key<Void> HEADERS = Key.of("headers", Shape.TEXTS_BY_NAME, "Headers of every request.");

    public static final KeySection SECTION = KeySection.of("provider", "A provider of models.", BASE_URL, KEY, HEADERS)
            .requiring(BASE_URL);

    private ProviderKeys() {}
}
