package dev.chargehand.langchain4j.internal;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The library's way to the network for one call: hands its request over on the calling thread.
 *
 * <p>Its parsed answers are not used. Its readers accept an answer that broke off, continue after broken JSON, join
 * separate parts, and keep every event until the end (docs/adr/0031). Therefore its listener receives nothing: there is
 * one reader, one end of a call, and no retry.
 */
final class LibraryClient implements HttpClient, HttpClientBuilder {

    private @Nullable HttpRequest request;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration readTimeout = Duration.ofSeconds(60);

    /** Return what the library wanted to send; null if nothing. */
    @Nullable
    HttpRequest request() {
        return request;
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest asked) {
        throw new IllegalStateException("Only streams are asked for.");
    }

    @Override
    public void execute(HttpRequest asked, ServerSentEventParser parser, ServerSentEventListener listener) {
        request = asked;
    }

    @Override
    public HttpClient build() {
        return this;
    }

    @Override
    public Duration connectTimeout() {
        return connectTimeout;
    }

    @Override
    public HttpClientBuilder connectTimeout(Duration timeout) {
        connectTimeout = timeout;
        return this;
    }

    @Override
    public Duration readTimeout() {
        return readTimeout;
    }

    @Override
    public HttpClientBuilder readTimeout(Duration timeout) {
        readTimeout = timeout;
        return this;
    }
}
