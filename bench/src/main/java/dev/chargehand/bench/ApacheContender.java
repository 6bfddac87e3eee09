package dev.chargehand.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.io.CloseMode;

/** Sends the requests and reads the lines of the streams with Apache HttpClient 5; parses nothing. */
final class ApacheContender implements Contender {

    private final CloseableHttpClient client = HttpClients.custom()
            .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                    .setMaxConnTotal(100_000)
                    .setMaxConnPerRoute(100_000)
                    .build())
            .disableAutomaticRetries()
            .disableCookieManagement()
            .build();
    private final Exchanges exchanges;
    private final String uri;

    ApacheContender(String baseUrl, Exchanges exchanges) {
        this.exchanges = exchanges;
        this.uri = baseUrl + "/chat/completions";
    }

    @Override
    public String run(String marker) throws Exception {
        String last = "";
        for (String body : exchanges.of(marker)) {
            HttpPost request = new HttpPost(uri);
            request.setHeader("Authorization", "Bearer no-key");
            request.setEntity(new StringEntity(body, ContentType.APPLICATION_JSON));
            last = client.execute(request, response -> {
                String found = "";
                try (BufferedReader lines = new BufferedReader(
                        new InputStreamReader(response.getEntity().getContent(), StandardCharsets.UTF_8))) {
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        if (line.contains(marker)) {
                            found = line;
                        }
                    }
                }
                return found;
            });
        }
        return last;
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
    }
}
