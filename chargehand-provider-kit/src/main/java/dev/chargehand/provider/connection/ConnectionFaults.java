package dev.chargehand.provider.connection;

import dev.chargehand.error.ModelException;
import dev.chargehand.provider.fault.ProviderFaults;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.jspecify.annotations.Nullable;

/** Says what a failed connection means. The library's exceptions may quote what was on the wire: those stay out. */
final class ConnectionFaults {

    private static final String NOT_HTTP = "the answer is not HTTP; check the base URL";
    private static final String LONG_HEAD = "the head of the answer has longer lines or more headers than are read";
    private static final String BROKE_OFF = "the connection was closed before the answer was complete";

    /**
     * What a failure means.
     *
     * @param what in words, without anything that was on the wire
     * @param protocol whether the answer violates the protocol
     * @param retryable whether it may pass
     * @param sent whether the request may have reached the server
     * @param cause the failure, unless it could quote the answer
     */
    record Meaning(
            String what,
            boolean protocol,
            boolean retryable,
            boolean sent,
            @Nullable IOException cause) {

        private static Meaning passing(String what, boolean sent, @Nullable IOException cause) {
            return new Meaning(what, false, true, sent, cause);
        }

        private static Meaning noAnswer(String what) {
            return new Meaning(what, true, false, true, null);
        }
    }

    private ConnectionFaults() {}

    /** Create the exception for a failed call to a server. */
    static ModelException of(IOException e, HttpHost host, ProviderFaults faults) {
        Meaning meaning = meaning(e);
        return meaning.protocol()
                ? faults.protocol(meaning.what())
                : faults.connection(
                        meaning.what() + " (" + address(host) + ")" + adviceOn(e),
                        meaning.retryable(),
                        meaning.cause());
    }

    private static String address(HttpHost host) {
        int port = host.getPort() > 0 ? host.getPort() : "http".equalsIgnoreCase(host.getSchemeName()) ? 80 : 443;
        return host.getHostName() + ":" + port;
    }

    private static String adviceOn(IOException e) {
        return switch (e) {
            case ConnectTimeoutException timeout ->
                "; check the base URL, and whether a firewall or a missing proxy is between here and the server";
            case UnknownHostException unknown ->
                "; check the host in the base URL, and whether names are resolved here";
            case ConnectException refused -> "; check that the server runs there, and the port in the base URL";
            case SSLException tls ->
                isBadCertificate(tls)
                        ? "; check the base URL, or add the certificate's issuer to the trust store of this JVM"
                        : "; check whether the server speaks https there, and whether a proxy interferes";
            default -> "";
        };
    }

    static Meaning meaning(IOException e) {
        return switch (e) {
            case ConnectTimeoutException timeout ->
                Meaning.passing("no connection within the time limit", false, timeout);
            case UnknownHostException unknown -> Meaning.passing("its host is not known", false, unknown);
            case ConnectException refused -> Meaning.passing("the connection was refused", false, refused);
            case SSLException tls -> secure(tls);
            case NoHttpResponseException none ->
                Meaning.passing("the connection was closed before an answer came", true, none);
            case MessageConstraintException head -> Meaning.noAnswer(LONG_HEAD);
            case ClientProtocolException http ->
                Meaning.noAnswer(http.getCause() instanceof MessageConstraintException ? LONG_HEAD : NOT_HTTP);
            case MalformedChunkCodingException chunk ->
                Meaning.passing("the answer broke off: its chunks are malformed", true, null);
            case ConnectionClosedException closed -> Meaning.passing(BROKE_OFF, true, closed);
            case EOFException end -> Meaning.passing(BROKE_OFF, true, null);
            case ZipException zip -> Meaning.noAnswer("the answer is not the gzip it says it is");
            case SocketTimeoutException silent -> Meaning.passing("the connection fell silent", true, silent);
            default -> Meaning.passing("the connection broke", true, e);
        };
    }

    private static Meaning secure(SSLException e) {
        return isBadCertificate(e)
                ? new Meaning("the server's certificate is not trusted", false, false, false, e)
                : Meaning.passing("the secure connection failed", true, e);
    }

    private static boolean isBadCertificate(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}
