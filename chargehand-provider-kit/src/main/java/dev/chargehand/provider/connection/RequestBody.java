package dev.chargehand.provider.connection;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/**
 * A request's body, let go of as soon as it is written: a stream may last for minutes, and the prompt need not be on
 * the heap twice meanwhile. For the same reason it cannot be sent again.
 */
public final class RequestBody extends AbstractHttpEntity {

    private static final byte[] WRITTEN = {};

    private final int length;
    private byte[] bytes;

    /** Make the body of JSON that is written already, and not changed any more. */
    public RequestBody(byte[] json) {
        super(ContentType.APPLICATION_JSON, null, false);
        this.bytes = json;
        this.length = json.length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        try {
            out.write(bytes);
        } finally {
            bytes = WRITTEN;
        }
    }

    @Override
    public InputStream getContent() {
        return new ByteArrayInputStream(bytes);
    }

    @Override
    public long getContentLength() {
        return length;
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public void close() {
        bytes = WRITTEN;
    }
}
