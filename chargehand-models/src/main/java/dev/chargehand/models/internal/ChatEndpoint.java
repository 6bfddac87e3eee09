package dev.chargehand.models.internal;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.provider.connection.BaseUrl;
import dev.chargehand.provider.fault.SecretHeaders;
import java.net.URI;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicHeader;

/**
 * The endpoint of a model, with its key and dialect; validated.
 *
 * @param displayName the name that users know the model by
 * @param model the name that the server knows it by
 * @param uri where requests go
 * @param host the host of it
 * @param key the key, read at every call; empty if none is needed
 * @param keyHint what to set when the key is missing or rejected
 * @param needsKey whether a call without a key fails before it is sent
 * @param headers what is sent besides
 * @param dialect how this server differs
 */
public record ChatEndpoint(
        String displayName,
        String model,
        URI uri,
        HttpHost host,
        Supplier<Optional<String>> key,
        String keyHint,
        boolean needsKey,
        List<Header> headers,
        Dialect dialect) {

    private static final String PATH = "/chat/completions";

    public ChatEndpoint {
        headers = List.copyOf(headers);
    }

    /**
     * Make an endpoint.
     *
     * @throws ConfigurationException if the base URL is not an http or https URL, or a header cannot be sent
     */
    public static ChatEndpoint of(
            String displayName,
            String model,
            String baseUrl,
            Supplier<Optional<String>> key,
            String keyHint,
            boolean needsKey,
            Map<String, String> headers,
            Dialect dialect) {
        URI uri = uri(displayName, baseUrl);
        return new ChatEndpoint(
                displayName,
                model,
                uri,
                new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort()),
                key,
                keyHint,
                needsKey,
                headers.entrySet().stream()
                        .map(each -> header(displayName, each.getKey(), each.getValue()))
                        .toList(),
                dialect);
    }

    /** Return this endpoint with another dialect. */
    public ChatEndpoint withDialect(Dialect other) {
        return new ChatEndpoint(displayName, model, uri, host, key, keyHint, needsKey, headers, other);
    }

    /** Return the key of this moment without white space around it; empty if there is none. */
    String currentKey() {
        return key.get().map(String::strip).orElse("");
    }

    /** Return what must not show: the key of this moment, and the values of headers. */
    Set<String> secrets() {
        Map<String, String> sent = new LinkedHashMap<>();
        headers.forEach(header -> sent.put(header.getName(), header.getValue()));
        Set<String> all = new HashSet<>(SecretHeaders.of(sent));
        String current = currentKey();
        if (!current.isEmpty()) {
            all.add(current);
        }
        return Set.copyOf(all);
    }

    private static URI uri(String displayName, String baseUrl) {
        URI base = BaseUrl.of(displayName, baseUrl);
        if (base.toString().endsWith(PATH)) {
            throw new ConfigurationException(
                    "Model '" + displayName + "': its base URL must end before " + PATH + ", which is added to it.");
        }
        return URI.create(base + PATH);
    }

    private static Header header(String displayName, String name, String value) {
        boolean sendable = !name.isEmpty()
                && name.chars().allMatch(c -> c > ' ' && c < 127 && c != ':')
                && SecretHeaders.isSendable(value);
        if (!sendable) {
            throw new ConfigurationException(
                    "Model '" + displayName + "': header '" + name.replaceAll("\\p{Cntrl}", "?")
                            + "' cannot be sent; names and values are printable ASCII on one line.");
        }
        return new BasicHeader(name, value);
    }
}
