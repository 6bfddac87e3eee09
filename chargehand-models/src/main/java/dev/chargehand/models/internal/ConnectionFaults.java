package dev.chargehand.models.internal;

import dev.chargehand.error.ModelException;
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
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;

/** Says what a failed connection means. The library's exceptions may quote what was on the wire: those stay out. */
final class ConnectionFaults {

    private static final String NOT_HTTP = "the answer is not HTTP; check the base URL";
    private static final String BROKE_OFF = "the connection was closed before the answer was complete";

    private ConnectionFaults() {}

    static ModelException of(IOException e, Faults faults) {
        return switch (e) {
            case ConnectTimeoutException timeout ->
                faults.connection("no connection within the time limit", true, timeout);
            case UnknownHostException unknown -> faults.connection("its host is not known", true, unknown);
            case ConnectException refused -> faults.connection("the connection was refused", true, refused);
            case SSLException tls -> secure(tls, faults);
            case NoHttpResponseException none ->
                faults.connection("the connection was closed before an answer came", true, none);
            case MessageConstraintException head -> longHead(faults);
            case ClientProtocolException http ->
                http.getCause() instanceof MessageConstraintException ? longHead(faults) : faults.protocol(NOT_HTTP);
            case MalformedChunkCodingException chunk ->
                faults.connection("the answer broke off: its chunks are malformed", true, null);
            case ConnectionClosedException closed -> faults.connection(BROKE_OFF, true, closed);
            case EOFException end -> faults.connection(BROKE_OFF, true, null);
            case ZipException zip -> faults.protocol("the answer is not the gzip it says it is");
            case SocketTimeoutException silent -> faults.connection("the connection fell silent", true, silent);
            default -> faults.connection("the connection broke", true, e);
        };
    }

    private static ModelException secure(SSLException e, Faults faults) {
        return isBadCertificate(e)
                ? faults.connection("the server's certificate is not trusted", false, e)
                : faults.connection("the secure connection failed", true, e);
    }

    private static ModelException longHead(Faults faults) {
        return faults.protocol("the head of the answer has longer lines or more headers than are read");
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
