package dev.chargehand.first;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** Sends what a line of a document sends with curl. */
final class Curl {

    private Curl() {}

    /**
     * Sends a request to another address than that of the document, and returns the body of the answer.
     *
     * @param words the command line
     * @param server the address, without a path
     */
    static String send(List<String> words, String server) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(words.get(1).replaceFirst("^http://127\\.0\\.0\\.1:\\d+", server)));
        for (int i = 2; i < words.size(); i += 2) {
            String value = words.get(i + 1);
            switch (words.get(i)) {
                case "-H" -> {
                    int colon = value.indexOf(": ");
                    request.header(value.substring(0, colon), value.substring(colon + 2));
                }
                case "-d" -> request.POST(HttpRequest.BodyPublishers.ofString(value));
                default -> throw new AssertionError("An option of curl that this test does not know: " + words);
            }
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
