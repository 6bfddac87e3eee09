package dev.chargehand.cli;

import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.request.ChatMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;

/** Tests of commands in a folder, with a provider that the test plays. */
abstract class WithProvider {

    @AutoClose
    final LoopbackProvider provider = LoopbackProvider.start();

    @TempDir
    Path folder;

    /** What names the provider and its key. */
    Map<String, String> environment() {
        return Map.of("OPENAI_API_KEY", "sk-never-to-be-seen", "OPENAI_BASE_URL", provider.baseUrl());
    }

    /** Puts arguments behind the first ones. */
    static String[] behind(String[] more, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
    }

    /** Returns the messages of a request, from 0, without the instructions. */
    List<String> heard(int request) {
        return provider.log().get(request).request().messages().stream()
                .filter(message -> !message.isSystem())
                .map(ChatMessage::text)
                .toList();
    }

    /** Runs an agent that has some keys with its id. */
    Ran runClerk(String input, String keys) throws IOException {
        Files.writeString(
                folder.resolve("chargehand.yaml"),
                "model: test/small\nproviders: { test: { baseUrl: \"" + provider.baseUrl()
                        + "\" } }\nagents:\n  clerk:\n" + keys.indent(4));
        return Ran.in(folder, "run", input);
    }

    /** Returns the body of a request, from 0. */
    String asked(int request) {
        return provider.log().get(request).request().body();
    }
}
