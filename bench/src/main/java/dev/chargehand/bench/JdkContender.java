package dev.chargehand.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.stream.Stream;

/** Sends the requests and reads the lines of the streams with the JDK's HTTP client; parses nothing. */
final class JdkContender implements Contender {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI uri;
    private final Exchanges exchanges;

    JdkContender(String baseUrl, Exchanges exchanges) {
        this.exchanges = exchanges;
        this.uri = URI.create(baseUrl + "/chat/completions");
    }

    @Override
    public String run(String marker) throws Exception {
        String last = "";
        for (String body : exchanges.of(marker)) {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer no-key")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            HttpResponse<Stream<String>> response = client.send(request, HttpResponse.BodyHandlers.ofLines());
            try (Stream<String> lines = response.body()) {
                for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
                    String line = each.next();
                    if (line.contains(marker)) {
                        last = line;
                    }
                }
            }
        }
        return last;
    }

    @Override
    public void close() {
        client.close();
    }
}
