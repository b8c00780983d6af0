# Never built by its authors, who had no container engine: see docs/operations.md.
FROM python:3.11-slim AS libraries
COPY requirements.lock /
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes --only-binary :all: --requirement /requirements.lock

FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home sobremesa \
    && install --directory --owner=sobremesa --mode=700 /data
COPY --from=libraries /venv /venv
COPY engines /app/engines
COPY bot /app/bot
COPY adapters /app/adapters
ENV PATH=/venv/bin:$PATH PYTHONPATH=/app PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    SOBREMESA_COMMAND=sobremesa SOBREMESA_LOG=json SOBREMESA_MONITOR_PORT=9100
USER sobremesa
# An SQLite store is a file in this folder.
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9100/healthz', timeout=4)"]
# -P keeps files in the working directory from being imported in place of libraries.
ENTRYPOINT ["python", "-P", "-m", "adapters"]
CMD ["run"]
